package dev.substraterouter.policy.yaml;

import static dev.substraterouter.internal.yaml.Types.ADDRESS;
import static dev.substraterouter.internal.yaml.Types.COUNT;
import static dev.substraterouter.internal.yaml.Types.DURATION;
import static dev.substraterouter.internal.yaml.Types.FLAG;
import static dev.substraterouter.internal.yaml.Types.NUMBER;
import static dev.substraterouter.internal.yaml.Types.TEXT;
import static dev.substraterouter.internal.yaml.Types.hidden;
import static dev.substraterouter.internal.yaml.Types.listOf;
import static dev.substraterouter.internal.yaml.Types.mapOf;
import static dev.substraterouter.internal.yaml.Types.word;

import dev.substraterouter.internal.yaml.Draft;
import dev.substraterouter.internal.yaml.Named;
import dev.substraterouter.internal.yaml.Section;
import dev.substraterouter.internal.yaml.Type;
import dev.substraterouter.internal.yaml.Types;
import dev.substraterouter.model.Measure;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.StatusAddress;
import dev.substraterouter.model.Trust;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.EjectionLimits;
import dev.substraterouter.policy.EjectionLimits.FaultsOfLast;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.IdleVram;
import dev.substraterouter.policy.NetworkScopes;
import dev.substraterouter.policy.OnStale;
import dev.substraterouter.policy.Operation;
import dev.substraterouter.policy.Owner;
import dev.substraterouter.policy.PinGate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PollSettings;
import dev.substraterouter.policy.QueueLimits;
import dev.substraterouter.policy.QueueLimits.Weights;
import dev.substraterouter.policy.QueueOrder;
import dev.substraterouter.policy.Role;
import dev.substraterouter.policy.Settings;
import dev.substraterouter.policy.StrategyKind;
import dev.substraterouter.policy.StrategySettings;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.SubstrateKind;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.policy.WorkloadQueue;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** The keys of the policy file, version 1: a table for each map of it, in the order in which they are written. */
final class PolicyKeys {
    /** The version of the format. */
    static final int VERSION = 1;

    /** What a key is judged by, beside its own value; see {@link dev.substraterouter.internal.yaml.Problems}. */
    static final Map<String, List<String>> JUDGED_BY = Map.of(
            "max_concurrent_jobs", List.of("kind"),
            "vram_gb", List.of("kind"),
            "keep_free_gb", List.of("vram_gb"),
            "job_vram_gb", List.of("vram_gb"),
            "reserve_for_high", List.of("max_concurrent_jobs"),
            "max_window", List.of("window"),
            "stale_after", List.of("/poll.every", "/health.stale_after"),
            "gpu_util_margin_pct", List.of("max_gpu_util_pct", "/health.max_gpu_util_pct"),
            "gpu_temp_margin_c", List.of("max_gpu_temp_c", "/health.max_gpu_temp_c"));

    private static final Type<List<String>> TEXTS = listOf(TEXT);

    static final Section<HealthLimits, HealthLimits.Builder> HEALTH = settings(
                    id -> HealthLimits.builder(), HealthLimits.Builder::build)
            .key("max_gpu_util_pct", NUMBER, HealthLimits.Builder::maxGpuUtilPct)
            .key("max_gpu_temp_c", NUMBER, HealthLimits.Builder::maxGpuTempC)
            .key("gpu_util_margin_pct", NUMBER, HealthLimits.Builder::gpuUtilMarginPct)
            .key("gpu_temp_margin_c", NUMBER, HealthLimits.Builder::gpuTempMarginC)
            .key("degraded_after", COUNT, HealthLimits.Builder::degradedAfter)
            .key("healthy_after", COUNT, HealthLimits.Builder::healthyAfter)
            .key("recovery_window", DURATION, HealthLimits.Builder::recoveryWindow)
            .key("stale_after", DURATION, HealthLimits.Builder::staleAfter)
            .key("on_stale", word(OnStale.class), HealthLimits.Builder::onStale)
            .key("require", listOf(word(Measure.class)), (b, v) -> b.require(v.toArray(Measure[]::new)))
            .key("ignore", listOf(word(Measure.class)), (b, v) -> b.ignore(v.toArray(Measure[]::new)))
            .key("require_attributes", mapOf(TEXT), HealthLimits.Builder::requireAttributes);

    static final Section<FaultsOfLast, Draft> FAULTS_OF_LAST = new Section<FaultsOfLast, Draft>(
                    id -> new Draft(
                            PolicyKeys.declared(EjectionLimits.builder().build().faultsOfLast())),
                    draft -> new FaultsOfLast(draft.get("k", Integer.class), draft.get("n", Integer.class)),
                    PolicyKeys::declared)
            .key("k", COUNT, Draft.put("k"))
            .key("n", COUNT, Draft.put("n"));

    static final Section<EjectionLimits, EjectionLimits.Builder> EJECTION = settings(
                    id -> EjectionLimits.builder(), EjectionLimits.Builder::build)
            .key("consecutive_faults", COUNT, EjectionLimits.Builder::consecutiveFaults)
            .key("faults_of_last", FAULTS_OF_LAST.type(), (b, v) -> b.faultsOfLast(v.k(), v.n()))
            .key("window", DURATION, EjectionLimits.Builder::window)
            .key("max_window", DURATION, EjectionLimits.Builder::maxWindow)
            .key("trial_timeout", DURATION, EjectionLimits.Builder::trialTimeout)
            .key("ramp", DURATION, EjectionLimits.Builder::ramp)
            .key("forget_after", DURATION, EjectionLimits.Builder::forgetAfter);

    static final Section<Weights, Draft> WEIGHTS = new Section<Weights, Draft>(
                    id -> new Draft(
                            PolicyKeys.declared(QueueLimits.builder().build().weights())),
                    draft -> new Weights(draft.get("normal", Double.class), draft.get("low", Double.class)),
                    PolicyKeys::declared)
            .key("normal", NUMBER, Draft.put("normal"))
            .key("low", NUMBER, Draft.put("low"));

    static final Section<QueueLimits, QueueLimits.Builder> QUEUE = settings(
                    id -> QueueLimits.builder(), QueueLimits.Builder::build)
            .key("capacity", COUNT, QueueLimits.Builder::capacity)
            .key("retry_every", DURATION, QueueLimits.Builder::retryEvery)
            .key("max_wait", DURATION, QueueLimits.Builder::maxWait)
            .key("ages_after", DURATION, QueueLimits.Builder::agesAfter)
            .key("hold_after", DURATION, QueueLimits.Builder::holdAfter)
            .key("order", word(QueueOrder.class), QueueLimits.Builder::order)
            .key("weights", WEIGHTS.type(), (b, v) -> b.weights(v.normal(), v.low()));

    static final Section<PollSettings, PollSettings.Builder> POLL = settings(
                    id -> PollSettings.builder(), PollSettings.Builder::build)
            .key("every", DURATION, PollSettings.Builder::every)
            .key("timeout", DURATION, PollSettings.Builder::timeout);

    private static final Type<StrategyKind> STRATEGY_KIND = word(StrategyKind.class, '-');

    static final Section<StrategySettings, StrategySettings.Builder> STRATEGY = settings(
                    id -> StrategySettings.builder(), StrategySettings.Builder::build)
            .key("default", STRATEGY_KIND, StrategySettings.Builder::defaultKind)
            .key("finish_margin", NUMBER, StrategySettings.Builder::finishMargin)
            .key("unhealthy_wait", DURATION, StrategySettings.Builder::unhealthyWait)
            .key("learn", FLAG, StrategySettings.Builder::learn)
            .key("drift_factor", NUMBER, StrategySettings.Builder::driftFactor);

    static final Section<NetworkScopes, NetworkScopes.Builder> NETWORK = settings(
                    id -> NetworkScopes.builder(), NetworkScopes.Builder::build)
            .key("control", TEXTS, texts(NetworkScopes.Builder::control))
            .key("data", TEXTS, texts(NetworkScopes.Builder::data))
            .key("external", TEXTS, texts(NetworkScopes.Builder::external));

    /** Where a token is found: never the token. */
    record Auth(Optional<String> tokenEnv, Optional<String> tokenFile) {}

    static final Section<Auth, Draft> AUTH = new Section<Auth, Draft>(
                    id -> new Draft(Map.of()),
                    draft -> new Auth(draft.find("token_env", String.class), draft.find("token_file", String.class)),
                    PolicyKeys::declared)
            .key("token_env", TEXT, Draft.put("token_env"))
            .key("token_file", TEXT, Draft.put("token_file"))
            .oneOf("token_env", "token_file");

    static final Section<StatusAddress, Draft> STATUS_ADDRESS = new Section<>(
                    id -> new Draft(Map.of()), PolicyKeys::statusAddress, PolicyKeys::declared)
            .required("url", ADDRESS, Draft.put("url"))
            .key("format", TEXT, Draft.put("format"))
            .key("auth", hidden(AUTH.type()), Draft.put("auth"));

    static final Section<Owner, Draft> OWNER = new Section<Owner, Draft>(
                    id -> new Draft(Map.of()),
                    draft -> new Owner(
                            draft.get("background_util_pct", Double.class), draft.get("cost_per_hour", Double.class)),
                    PolicyKeys::declared)
            .required("background_util_pct", NUMBER, Draft.put("background_util_pct"))
            .required("cost_per_hour", NUMBER, Draft.put("cost_per_hour"));

    static final Section<Substrate, Substrate.Builder> SUBSTRATE = settings(
                    Substrate::builder, Substrate.Builder::build)
            .key("kind", word(SubstrateKind.class), Substrate.Builder::kind)
            .key("endpoint", ADDRESS, Substrate.Builder::endpoint)
            .key("mcp_url", ADDRESS, Substrate.Builder::mcpUrl)
            .key("virtual", FLAG, Substrate.Builder::virtual)
            .key("status", new StatusType(STATUS_ADDRESS), (b, v) -> v.forEach(b::status))
            .key("hardware", TEXT, Substrate.Builder::hardware)
            .key("why", TEXT, Substrate.Builder::why)
            .key("capabilities", TEXTS, texts(Substrate.Builder::capabilities))
            .key("codebases", TEXTS, texts(Substrate.Builder::codebases))
            .key("reaches", TEXTS, texts(Substrate.Builder::reaches))
            .key("vram_gb", NUMBER, Substrate.Builder::vramGb)
            .key("gpus", COUNT, Substrate.Builder::gpus)
            .key("keep_free_gb", NUMBER, Substrate.Builder::keepFreeGb)
            .key("max_concurrent_jobs", COUNT, Substrate.Builder::maxConcurrentJobs)
            .key("util_per_job_pct", NUMBER, Substrate.Builder::utilPerJobPct)
            .key("idle_vram", word(IdleVram.class), Substrate.Builder::idleVram)
            .key("reserve_for_high", COUNT, Substrate.Builder::reserveForHigh)
            .key("accepts_roles", TEXTS, texts(Substrate.Builder::acceptsRoles))
            .key("trust", word(Trust.class), Substrate.Builder::trust)
            .key("cost_per_hour", NUMBER, Substrate.Builder::costPerHour)
            .key("overflow", FLAG, Substrate.Builder::overflow)
            .key("owner", OWNER.type(), (b, v) -> b.owner(v.backgroundUtilPct(), v.costPerHour()))
            .key("health", HEALTH.type(), Substrate.Builder::health);

    static final Section<Candidate, Candidate.Builder> CANDIDATE =
            candidate(settings(Candidate::builder, Candidate.Builder::build), builder -> builder);

    static final Section<Pin, Pin.Builder> PIN = candidate(
                    new Section<>(Pin.Builder::new, Pin.Builder::build, Pin::declared), builder -> builder.candidate)
            .key("gate", word(PinGate.class), (b, v) -> b.gate = Optional.of(v));

    static final Section<WorkloadQueue, WorkloadQueue.Builder> WORKLOAD_QUEUE = settings(
                    id -> WorkloadQueue.builder(), WorkloadQueue.Builder::build)
            .key("capacity", COUNT, WorkloadQueue.Builder::capacity)
            .key("max_wait", DURATION, WorkloadQueue.Builder::maxWait);

    private static final Type<Candidate> ON = Named.withId("on", CANDIDATE, Candidate::on);

    static final Section<Workload, Workload.Builder> WORKLOAD = new Section<>(
                    Workload::builder, Workload.Builder::build, PolicyKeys::declared)
            .key("vram_gb", NUMBER, Workload.Builder::vramGb)
            .key("capabilities", TEXTS, texts(Workload.Builder::capabilities))
            .key("privacy", word(Trust.class), Workload.Builder::privacy)
            .key("min_quality", NUMBER, Workload.Builder::minQuality)
            .key("max_latency", DURATION, Workload.Builder::maxLatency)
            .key("max_cost", NUMBER, Workload.Builder::maxCost)
            .key("min_availability", NUMBER, Workload.Builder::minAvailability)
            .key("review_cost", NUMBER, Workload.Builder::reviewCost)
            .key("error_cost", NUMBER, Workload.Builder::errorCost)
            .key("waiting_cost_per_hour", NUMBER, Workload.Builder::waitingCostPerHour)
            .key("deadline", DURATION, Workload.Builder::deadline)
            .key("strategy", STRATEGY_KIND, Workload.Builder::strategy)
            .key("overflow_after", DURATION, Workload.Builder::overflowAfter)
            .key("route", listOf(ON), (b, v) -> b.route(v.toArray(Candidate[]::new)))
            .key("pin", Named.withId("on", PIN, Pin::on), (b, v) -> v.of(b))
            .key("batch", ON, Workload.Builder::batch)
            .key("queue", WORKLOAD_QUEUE.type(), Workload.Builder::queue)
            .key("why", TEXT, Workload.Builder::why);

    static final Section<Role, Role.Builder> ROLE = settings(Role::builder, Role.Builder::build)
            .key("identities", TEXTS, texts(Role.Builder::identities))
            .key("capabilities", TEXTS, texts(Role.Builder::capabilities))
            .key("workloads", TEXTS, texts(Role.Builder::workloads))
            .key("adhoc", FLAG, Role.Builder::adhoc)
            .key("max_priority", word(Priority.class), Role.Builder::maxPriority)
            .key("external", FLAG, Role.Builder::external)
            .key("operate", listOf(word(Operation.class)), (b, v) -> b.operate(v.toArray(Operation[]::new)));

    static final Section<Policy, Policy.Builder> POLICY = new Section<>(
                    id -> Policy.builder(), Policy.Builder::build, PolicyKeys::declared)
            .required("version", COUNT, (b, v) -> {})
            .key("health", HEALTH.type(), Policy.Builder::health)
            .key("ejection", EJECTION.type(), Policy.Builder::ejection)
            .key("queue", QUEUE.type(), Policy.Builder::queue)
            .key("poll", POLL.type(), Policy.Builder::poll)
            .key("strategy", STRATEGY.type(), Policy.Builder::strategy)
            .key("network", NETWORK.type(), Policy.Builder::network)
            .key("substrates", Named.byId(SUBSTRATE, Substrate::id), (b, v) -> v.forEach(b::substrate))
            .key("workloads", Named.byId(WORKLOAD, Workload::name), (b, v) -> v.forEach(b::workload))
            .key("roles", atLeastOneRole(Named.byId(ROLE, Role::name)), (b, v) -> v.forEach(b::role));

    private PolicyKeys() {}

    /** A workload's only candidate with its gate, which the file tells in one map. */
    record Pin(Candidate candidate, Optional<PinGate> gate) {
        String on() {
            return candidate.on();
        }

        void of(Workload.Builder workload) {
            workload.pin(candidate);
            gate.ifPresent(workload::pinGate);
        }

        Map<String, Object> declared() {
            Map<String, Object> declared = new LinkedHashMap<>(candidate.declared());
            gate.ifPresent(value -> declared.put("gate", value));
            return declared;
        }

        static final class Builder {
            private final Candidate.Builder candidate;
            private Optional<PinGate> gate = Optional.empty();

            Builder(String on) {
                candidate = Candidate.builder(on);
            }

            Pin build() {
                return new Pin(candidate.build(), gate);
            }
        }
    }

    private static <S extends Settings, B> Section<S, B> settings(Function<String, B> start, Function<B, S> finish) {
        return new Section<>(start, finish, Settings::declared);
    }

    /** The keys of a candidate. The first is its id, which its builder is started with. */
    private static <S, B> Section<S, B> candidate(Section<S, B> section, Function<B, Candidate.Builder> of) {
        return section.required("on", TEXT, (b, v) -> {})
                .key("model", TEXT, (b, v) -> of.apply(b).model(v))
                .key("model_version", TEXT, (b, v) -> of.apply(b).modelVersion(v))
                .key("format", TEXT, (b, v) -> of.apply(b).format(v))
                .key("vram_gb", NUMBER, (b, v) -> of.apply(b).vramGb(v))
                .key("job_vram_gb", NUMBER, (b, v) -> of.apply(b).jobVramGb(v))
                .key("expected_latency", DURATION, (b, v) -> of.apply(b).expectedLatency(v))
                .key("load_time", DURATION, (b, v) -> of.apply(b).loadTime(v))
                .key("quality", NUMBER, (b, v) -> of.apply(b).quality(v))
                .key("review_rate", NUMBER, (b, v) -> of.apply(b).reviewRate(v))
                .key("cost_per_job", NUMBER, (b, v) -> of.apply(b).costPerJob(v))
                .key("spans_gpus", FLAG, (b, v) -> of.apply(b).spansGpus(v))
                .key("endpoint", ADDRESS, (b, v) -> of.apply(b).endpoint(v))
                .key("why", TEXT, (b, v) -> of.apply(b).why(v));
    }

    private static <B> BiConsumer<B, List<String>> texts(BiConsumer<B, String[]> setter) {
        return (builder, values) -> setter.accept(builder, values.toArray(String[]::new));
    }

    /** Roles that are there but name nobody would open what they are meant to close. */
    private static Type<List<Role>> atLeastOneRole(Type<List<Role>> roles) {
        return Types.of(
                (node, at) -> roles.read(node, at)
                        .or(() -> Optional.of(List.of()))
                        .filter(all -> !all.isEmpty())
                        .or(() -> at.refuse(
                                "missing", node, "at least one role; without the key, anyone may ask for anything")),
                roles::write);
    }

    private static StatusAddress statusAddress(Draft draft) {
        Optional<Auth> auth = draft.find("auth", Auth.class);
        return new StatusAddress(
                draft.get("url", URI.class),
                draft.find("format", String.class).orElse(StatusAddress.NATIVE_FORMAT),
                auth.flatMap(Auth::tokenEnv),
                auth.flatMap(Auth::tokenFile));
    }

    private static Map<String, Object> declared(FaultsOfLast faults) {
        return Map.of("k", faults.k(), "n", faults.n());
    }

    private static Map<String, Object> declared(Weights weights) {
        return Map.of("normal", weights.normal(), "low", weights.low());
    }

    private static Map<String, Object> declared(Auth auth) {
        Map<String, Object> declared = new LinkedHashMap<>();
        auth.tokenEnv().ifPresent(name -> declared.put("token_env", name));
        auth.tokenFile().ifPresent(file -> declared.put("token_file", file));
        return declared;
    }

    private static Map<String, Object> declared(StatusAddress address) {
        Map<String, Object> declared = new LinkedHashMap<>();
        declared.put("url", address.url());
        if (!address.format().equals(StatusAddress.NATIVE_FORMAT)) {
            declared.put("format", address.format());
        }
        if (address.tokenEnv().isPresent() || address.tokenFile().isPresent()) {
            declared.put("auth", new Auth(address.tokenEnv(), address.tokenFile()));
        }
        return declared;
    }

    private static Map<String, Object> declared(Owner owner) {
        return Map.of("background_util_pct", owner.backgroundUtilPct(), "cost_per_hour", owner.costPerHour());
    }

    private static Map<String, Object> declared(Workload workload) {
        Map<String, Object> declared = new LinkedHashMap<>(workload.declared());
        workload.pin().ifPresent(pin -> declared.put("pin", new Pin(pin, gate(workload))));
        return declared;
    }

    private static Optional<PinGate> gate(Workload workload) {
        return workload.declared().containsKey("gate") ? Optional.of(workload.pinGate()) : Optional.empty();
    }

    private static Map<String, Object> declared(Policy policy) {
        Map<String, Object> declared = new LinkedHashMap<>();
        declared.put("version", VERSION);
        putDeclared(declared, "health", policy.health());
        putDeclared(declared, "ejection", policy.ejection());
        putDeclared(declared, "queue", policy.queue());
        putDeclared(declared, "poll", policy.poll());
        putDeclared(declared, "strategy", policy.strategy());
        policy.network().ifPresent(network -> declared.put("network", network));
        declared.put("substrates", policy.substrates());
        putDeclared(declared, "workloads", policy.workloads());
        putDeclared(declared, "roles", policy.roles());
        return declared;
    }

    private static void putDeclared(Map<String, Object> declared, String key, List<?> entries) {
        if (!entries.isEmpty()) {
            declared.put(key, entries);
        }
    }

    /** Puts settings under a key, unless they say nothing. */
    private static void putDeclared(Map<String, Object> declared, String key, Settings settings) {
        if (!settings.declared().isEmpty()) {
            declared.put(key, settings);
        }
    }
}
