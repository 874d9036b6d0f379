package dev.substraterouter.policy;

import dev.substraterouter.model.Need;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.model.StatusAddress;
import java.net.URI;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Checks a whole policy and collects everything that is wrong with it. Runs before the first request of a process: loops rather than lambdas,
 * each of which would cost as much as the whole check.
 */
final class PolicyCheck {
    /** The longest id of a substrate and name of a workload or role. */
    static final int MAX_NAME = 128;

    private static final int MAX_NAMES_TOLD = 10;
    private static final double MAX_GB = 1 << 20;
    private static final int MAX_JOBS = 1_000_000;
    private static final int MAX_WAITERS = 100_000;
    private static final int MAX_COUNT = 1_000_000;
    private static final Duration MAX_DURATION = Duration.ofDays(365);

    /** What of an address may be a secret: who logs in, the query and the fragment. Compiled where an address is wrong, which is rare. */
    private static final String SECRETS = "(?<=//).*(?=@)|^(?!.*//).*(?=@)|(?<=[?#]).*";

    private static final Duration MIN_POLL = Duration.ofMillis(10);

    private final Policy.Builder policy;
    private final List<PolicyProblem> problems = new ArrayList<>();
    private final Map<String, Substrate> substrates = new LinkedHashMap<>();

    PolicyCheck(Policy.Builder policy) {
        this.policy = policy;
    }

    List<PolicyProblem> problems() {
        health("health", policy.health, policy.health);
        ejection(policy.ejection);
        queue(policy.queue);
        poll(policy.poll);
        strategy(policy.strategy);
        if (policy.substrates.isEmpty()) {
            report("missing", "substrates", "substrates: none (expected: at least one)");
        }
        for (Substrate substrate : policy.substrates) {
            name("substrates", substrate.id());
            if (substrates.put(substrate.id(), substrate) != null) {
                report(
                        "duplicate",
                        "substrates." + substrate.id(),
                        "substrate '" + substrate.id() + "' is declared twice");
            }
            substrate("substrates." + substrate.id(), substrate);
        }
        Set<String> names = new LinkedHashSet<>();
        for (Workload workload : policy.workloads) {
            name("workloads", workload.name());
            if (!names.add(workload.name())) {
                report(
                        "duplicate",
                        "workloads." + workload.name(),
                        "workload '" + workload.name() + "' is declared twice");
            }
            workload("workloads." + workload.name(), workload);
        }
        Set<String> roleNames = new LinkedHashSet<>();
        for (Role role : policy.roles) {
            name("roles", role.name());
            if (!roleNames.add(role.name())) {
                report("duplicate", "roles." + role.name(), "role '" + role.name() + "' is declared twice");
            }
            role("roles." + role.name(), role, names);
        }
        for (Substrate substrate : policy.substrates) {
            acceptedRoles(substrate, roleNames);
        }
        ScopeCheck.check(policy, problems);
        return problems;
    }

    private void health(String path, HealthLimits declared, HealthLimits effective) {
        range(path, "max_gpu_util_pct", declared.maxGpuUtilPct(), 1, 101);
        range(path, "max_gpu_temp_c", declared.maxGpuTempC(), 1, 200);
        range(path, "gpu_util_margin_pct", declared.gpuUtilMarginPct(), 0, 100);
        range(path, "gpu_temp_margin_c", declared.gpuTempMarginC(), 0, 100);
        range(path, "degraded_after", declared.degradedAfter(), 1, MAX_COUNT);
        range(path, "healthy_after", declared.healthyAfter(), 1, MAX_COUNT);
        duration(path, "recovery_window", declared.recoveryWindow(), Duration.ZERO);
        if (effective.gpuUtilMarginPct() >= effective.maxGpuUtilPct()) {
            report(
                    "out-of-range",
                    path + ".gpu_util_margin_pct",
                    "gpu_util_margin_pct: " + show(effective.gpuUtilMarginPct()) + " (expected: below max_gpu_util_pct "
                            + show(effective.maxGpuUtilPct()) + ")");
        }
        if (effective.gpuTempMarginC() >= effective.maxGpuTempC()) {
            report(
                    "out-of-range",
                    path + ".gpu_temp_margin_c",
                    "gpu_temp_margin_c: " + show(effective.gpuTempMarginC()) + " (expected: below max_gpu_temp_c "
                            + show(effective.maxGpuTempC()) + ")");
        }
        for (String name : declared.requireAttributes().keySet()) {
            name(path + ".require_attributes", name);
        }
        Duration stale = effective.staleAfter();
        Duration every = policy.poll.every();
        Duration least = (every.compareTo(MAX_DURATION) > 0 ? MAX_DURATION : every).multipliedBy(2);
        if (stale.compareTo(least) < 0) {
            report(
                    "out-of-range",
                    path + ".stale_after",
                    "stale_after: " + show(stale) + " (expected: at least 2 x poll.every = " + show(least) + ")");
        }
        longest(path, "stale_after", stale);
    }

    private void ejection(EjectionLimits limits) {
        range("ejection", "consecutive_faults", limits.consecutiveFaults(), 1, MAX_COUNT);
        EjectionLimits.FaultsOfLast share = limits.faultsOfLast();
        range("ejection.faults_of_last", "n", share.n(), 1, 64);
        range("ejection.faults_of_last", "k", share.k(), 1, Math.max(1, Math.min(64, share.n())));
        duration("ejection", "window", limits.window(), Duration.ofMillis(1));
        duration("ejection", "max_window", limits.maxWindow(), Duration.ofMillis(1));
        if (limits.maxWindow().compareTo(limits.window()) < 0) {
            report(
                    "out-of-range",
                    "ejection.max_window",
                    "max_window: " + show(limits.maxWindow()) + " (expected: at least window = " + show(limits.window())
                            + ")");
        }
        duration("ejection", "trial_timeout", limits.trialTimeout(), Duration.ofMillis(1));
        duration("ejection", "ramp", limits.ramp(), Duration.ZERO);
        duration("ejection", "forget_after", limits.forgetAfter(), Duration.ofMillis(1));
    }

    private void queue(QueueLimits limits) {
        range("queue", "capacity", limits.capacity(), 0, MAX_WAITERS);
        duration("queue", "retry_every", limits.retryEvery(), Duration.ofMillis(1));
        duration("queue", "max_wait", limits.maxWait(), Duration.ZERO);
        duration("queue", "ages_after", limits.agesAfter(), Duration.ofMillis(1));
        duration("queue", "hold_after", limits.holdAfter(), Duration.ZERO);
        range("queue.weights", "normal", limits.weights().normal(), Double.MIN_VALUE, MAX_COUNT);
        range("queue.weights", "low", limits.weights().low(), Double.MIN_VALUE, MAX_COUNT);
    }

    private void poll(PollSettings settings) {
        duration("poll", "every", settings.every(), MIN_POLL);
        duration("poll", "timeout", settings.timeout(), Duration.ofMillis(1));
    }

    private void strategy(StrategySettings settings) {
        range("strategy", "finish_margin", settings.finishMargin(), 1, MAX_COUNT);
        duration("strategy", "unhealthy_wait", settings.unhealthyWait(), Duration.ZERO);
        range("strategy", "drift_factor", settings.driftFactor(), Math.nextUp(1.0), MAX_COUNT);
    }

    private void substrate(String path, Substrate substrate) {
        address(path, "endpoint", substrate.endpoint());
        address(path, "mcp_url", substrate.mcpUrl());
        int index = 0;
        for (StatusAddress status : substrate.status()) {
            status(path + ".status[" + index++ + "]", status);
        }
        texts(path, "capabilities", substrate.capabilities());
        texts(path, "codebases", substrate.codebases());
        texts(path, "reaches", substrate.reaches());
        range(path, "vram_gb", substrate.vramGb(), 0, MAX_GB);
        range(path, "gpus", substrate.gpus(), 1, 64);
        range(path, "keep_free_gb", substrate.keepFreeGb(), 0, MAX_GB);
        if (substrate.vramGb().isPresent()
                && substrate.keepFreeGb() > substrate.vramGb().getAsDouble()) {
            report(
                    "out-of-range",
                    path + ".keep_free_gb",
                    "keep_free_gb: " + show(substrate.keepFreeGb()) + " (expected: at most vram_gb "
                            + show(substrate.vramGb().getAsDouble()) + ")");
        }
        range(path, "max_concurrent_jobs", substrate.maxConcurrentJobs(), 1, MAX_JOBS);
        boolean own = substrate.kind() == SubstrateKind.LOCAL || substrate.kind() == SubstrateKind.POOL;
        if (own && substrate.maxConcurrentJobs().isEmpty()) {
            report(
                    "missing",
                    path + ".max_concurrent_jobs",
                    "max_concurrent_jobs: absent (expected: >= 1 on a " + word(substrate.kind()) + " substrate)");
        }
        range(path, "util_per_job_pct", substrate.utilPerJobPct(), 0, 100);
        range(
                path,
                "reserve_for_high",
                substrate.reserveForHigh(),
                0,
                Math.max(0, substrate.maxConcurrentJobs().orElse(MAX_JOBS)));
        range(path, "cost_per_hour", substrate.costPerHour(), 0, Double.MAX_VALUE);
        if (substrate.owner().isPresent()) {
            Owner owner = substrate.owner().get();
            range(path + ".owner", "background_util_pct", owner.backgroundUtilPct(), 0, 100);
            range(path + ".owner", "cost_per_hour", owner.costPerHour(), 0, Double.MAX_VALUE);
        }
        if (substrate.health().isPresent()) {
            HealthLimits limits = substrate.health().get();
            health(path + ".health", limits, limits.over(policy.health));
        }
    }

    private void status(String path, StatusAddress status) {
        address(path, "url", status.url());
        if (status.tokenEnv().isPresent() && status.tokenFile().isPresent()) {
            report("conflict", path + ".auth", "auth: token_env and token_file (expected: one of them)");
        }
    }

    private void workload(String path, Workload workload) {
        texts(path, "capabilities", workload.capabilities());
        range(path, "vram_gb", workload.vramGb(), 0, MAX_GB);
        range(path, "min_quality", workload.minQuality(), 0, 1);
        range(path, "max_cost", workload.maxCost(), 0, Double.MAX_VALUE);
        range(path, "min_availability", workload.minAvailability(), 0, 1);
        range(path, "review_cost", workload.reviewCost(), 0, Double.MAX_VALUE);
        range(path, "error_cost", workload.errorCost(), 0, Double.MAX_VALUE);
        range(path, "waiting_cost_per_hour", workload.waitingCostPerHour(), 0, Double.MAX_VALUE);
        duration(path, "max_latency", workload.maxLatency(), Duration.ofMillis(1));
        duration(path, "deadline", workload.deadline(), Duration.ofMillis(1));
        duration(path, "overflow_after", workload.overflowAfter(), Duration.ZERO);
        if (workload.queue().isPresent()) {
            WorkloadQueue queue = workload.queue().get();
            range(path + ".queue", "capacity", queue.capacity(), 0, MAX_WAITERS);
            duration(path + ".queue", "max_wait", queue.maxWait(), Duration.ZERO);
        }
        boolean routed = workload.has("route");
        if (routed && workload.pin().isPresent()) {
            report("conflict", path + ".pin", "pin: given beside route (expected: one of them)");
        }
        if (routed && workload.route().isEmpty()) {
            report("out-of-range", path + ".route", "route: empty (expected: at least one candidate)");
        }
        if (workload.has("gate") && workload.pin().isEmpty()) {
            report("conflict", path + ".gate", "gate: given without a pin");
        }
        Set<Candidate> seen = new HashSet<>();
        int index = 0;
        for (Candidate candidate : workload.route()) {
            String place = path + ".route[" + index++ + "]";
            candidate(place, workload, candidate);
            if (!seen.add(candidate)) {
                report("duplicate", place, "candidate '" + candidate.on() + "' is declared twice in one route");
            }
        }
        if (workload.pin().isPresent()) {
            candidate(path + ".pin", workload, workload.pin().get());
        }
        if (workload.batch().isPresent()) {
            candidate(path + ".batch", workload, workload.batch().get());
        }
    }

    private void candidate(String path, Workload workload, Candidate candidate) {
        range(path, "vram_gb", candidate.vramGb(), 0, MAX_GB);
        range(path, "job_vram_gb", candidate.jobVramGb(), 0, MAX_GB);
        OptionalDouble whole = candidate.vramGb().isPresent() ? candidate.vramGb() : workload.vramGb();
        if (candidate.jobVramGb().isPresent() && candidate.jobVramGb().getAsDouble() > whole.orElse(0)) {
            report(
                    "out-of-range",
                    path + ".job_vram_gb",
                    "job_vram_gb: " + show(candidate.jobVramGb().getAsDouble()) + " (expected: at most vram_gb "
                            + show(whole.orElse(0)) + ")");
        }
        duration(path, "expected_latency", candidate.expectedLatency(), Duration.ofNanos(1));
        duration(path, "load_time", candidate.loadTime(), Duration.ZERO);
        range(path, "quality", candidate.quality(), 0, 1);
        range(path, "review_rate", candidate.reviewRate(), 0, 1);
        range(path, "cost_per_job", candidate.costPerJob(), 0, Double.MAX_VALUE);
        address(path, "endpoint", candidate.endpoint());
        Substrate substrate = substrates.get(candidate.on());
        if (substrate == null) {
            report(
                    "unknown-substrate",
                    path + ".on",
                    "on: '" + candidate.on() + "' (expected: one of " + some(substrates.keySet()) + ")");
        } else if (whole.isPresent()
                && substrate.kind() == SubstrateKind.LOCAL
                && substrate.vramGb().isEmpty()) {
            report(
                    "missing",
                    "substrates." + substrate.id() + ".vram_gb",
                    "vram_gb: absent (expected on a local substrate, since '" + workload.name() + "' declares VRAM)");
        }
    }

    private void acceptedRoles(Substrate substrate, Set<String> roles) {
        int index = 0;
        for (String role : substrate.acceptsRoles().orElse(List.of())) {
            String place = "substrates." + substrate.id() + ".accepts_roles[" + index++ + "]";
            if (!roles.contains(role)) {
                report("unknown-role", place, "accepts_roles: '" + role + "' (expected: one of " + some(roles) + ")");
            }
        }
    }

    private void role(String path, Role role, Set<String> workloads) {
        if (role.identities().isEmpty()) {
            report("missing", path + ".identities", "identities: none (expected: at least one)");
        }
        texts(path, "capabilities", role.capabilities());
        int index = 0;
        for (String workload : role.workloads()) {
            String place = path + ".workloads[" + index++ + "]";
            if (!workload.equals("*") && !workloads.contains(workload)) {
                report(
                        "unknown-workload",
                        place,
                        "workloads: '" + workload + "' (expected: \"*\" or one of " + some(workloads) + ")");
            }
        }
    }

    /** The first names: a policy with thousands of them must not tell all of them in each of thousands of problems. */
    private static String some(Set<String> names) {
        String first = names.stream().limit(MAX_NAMES_TOLD).collect(Collectors.joining(", "));
        return names.size() > MAX_NAMES_TOLD ? first + ", ... (" + names.size() + ")" : first;
    }

    private void texts(String path, String key, List<String> texts) {
        if (texts.size() > Need.MAX_NAMES) {
            report(
                    "out-of-range",
                    path + "." + key,
                    key + ": " + texts.size() + " names (expected: at most " + Need.MAX_NAMES + ")");
        }
        int index = 0;
        for (String text : texts) {
            String place = path + "." + key + "[" + index++ + "]";
            String canonical = Need.canonical(text);
            if (canonical.isEmpty() || canonical.length() > Need.MAX_TEXT) {
                report(
                        "bad-name",
                        place,
                        key + ": '" + text + "' (expected: 1 to " + Need.MAX_TEXT + " characters, not all blank)");
            }
        }
    }

    private void name(String section, String name) {
        if (name.equals(RouteRequest.AD_HOC)) {
            report(
                    "bad-name",
                    section + "." + name,
                    "name: '" + name + "' (expected: another; it stands for no workload)");
        }
        if (name.isBlank() || name.length() > MAX_NAME || anyControl(name)) {
            report(
                    "bad-name",
                    section + "." + name,
                    "name: '" + name + "' (expected: 1 to " + MAX_NAME + " characters, none a control character)");
        }
    }

    private static boolean anyControl(String name) {
        for (int at = 0; at < name.length(); at++) {
            if (Character.isISOControl(name.charAt(at))) {
                return true;
            }
        }
        return false;
    }

    private void address(String path, String key, Optional<URI> uri) {
        if (uri.isPresent()) {
            address(path, key, uri.get());
        }
    }

    private void address(String path, String key, URI uri) {
        String scheme = uri.getScheme();
        boolean web = scheme != null && (scheme.equalsIgnoreCase("http") || scheme.equalsIgnoreCase("https"));
        if (!web || uri.getHost() == null) {
            report(
                    "bad-address",
                    path + "." + key,
                    key + ": " + redacted(uri) + " (expected: an http or https address with a host)");
        } else if (uri.getRawUserInfo() != null) {
            report(
                    "bad-address",
                    path + "." + key,
                    key + ": " + redacted(uri) + " (expected: no credentials in the address)");
        }
    }

    private static String redacted(URI uri) {
        return Pattern.compile(SECRETS).matcher(uri.toString()).replaceAll("***");
    }

    private void range(String path, String key, OptionalDouble value, double least, double most) {
        if (value.isPresent()) {
            range(path, key, value.getAsDouble(), least, most);
        }
    }

    private void range(String path, String key, OptionalInt value, int least, int most) {
        if (value.isPresent()) {
            range(path, key, value.getAsInt(), least, most);
        }
    }

    private void range(String path, String key, double value, double least, double most) {
        if (!(value >= least && value <= most)) {
            report(
                    "out-of-range",
                    path + "." + key,
                    key + ": " + show(value) + " (expected: " + expected(value, least, most) + ")");
        }
    }

    private static String expected(double value, double least, double most) {
        if (most < MAX_COUNT) {
            return show(least) + " to " + show(most);
        }
        if (value > most) {
            return "at most " + show(most);
        }
        return least == Double.MIN_VALUE ? "> 0" : ">= " + show(least);
    }

    private void duration(String path, String key, Optional<Duration> value, Duration least) {
        if (value.isPresent()) {
            duration(path, key, value.get(), least);
        }
    }

    private void duration(String path, String key, Duration value, Duration least) {
        if (value.compareTo(least) < 0) {
            report("out-of-range", path + "." + key, key + ": " + show(value) + " (expected: >= " + show(least) + ")");
        }
        longest(path, key, value);
    }

    private void longest(String path, String key, Duration value) {
        if (value.compareTo(MAX_DURATION) > 0) {
            report("out-of-range", path + "." + key, key + ": " + show(value) + " (expected: at most 365 days)");
        }
    }

    private void report(String code, String path, String message) {
        problems.add(PolicyProblem.of(code, path, message));
    }

    private static String word(SubstrateKind kind) {
        return kind == SubstrateKind.LOCAL ? "local" : "pool";
    }

    private static String show(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }

    /** A duration as the policy file writes it. */
    private static String show(Duration value) {
        if (value.equals(value.truncatedTo(ChronoUnit.SECONDS))) {
            return value.toSeconds() + "s";
        }
        return value.equals(value.truncatedTo(ChronoUnit.MILLIS)) ? value.toMillis() + "ms" : value.toString();
    }
}
