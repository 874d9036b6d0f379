package dev.substraterouter.simulate.yaml;

import dev.substraterouter.internal.yaml.At;
import dev.substraterouter.internal.yaml.Node;
import dev.substraterouter.internal.yaml.Problems;
import dev.substraterouter.internal.yaml.SourceText;
import dev.substraterouter.internal.yaml.TreeReader;
import dev.substraterouter.internal.yaml.Version;
import dev.substraterouter.policy.PolicyException;
import dev.substraterouter.simulate.Scenario;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Scenarios of simulations as YAML (1.2), in version 1 of the file format. Thread-safe: it has no state.
 *
 * <pre>{@code
 * version: 1
 * name: two nodes on a quiet evening
 * traffic: [ { arrivals: { poisson: { per_hour: 90 } }, workloads: { sdxl: 1 } } ]
 * work: { sdxl: { takes: 7s, sigma: 0.1 } }
 * nodes: { legion: { speed: 3, episodes: { training: { from: 2h, for: 30m, util_pct: 95, speed: 0.4 } } } }
 * }</pre>
 *
 * <p>It is read as a policy is: whole or not at all, in the same syntax, within the same limits, and everything that is wrong is told at its
 * line and column. Whether policy and scenario suit each other is checked when a {@link dev.substraterouter.simulate.Simulation} is made.
 *
 * <p><b>Keys.</b> Durations are {@code 500ms}, {@code 5s}, {@code 2m}, {@code 1h}, at most 87,600 h (10 years), and above 0 unless it says
 * "or 0". The order of {@code traffic}, {@code workloads}, {@code classes}, {@code nodes}, {@code episodes} and {@code faults} decides which
 * random numbers each one gets. What a key means is told by the class to which it belongs.
 *
 * <ul>
 *   <li>{@code version}: 1; required. {@code name}: what reports call it; required.
 *   <li>{@code length}: how long requests arrive, of a record too; default 6h. {@code seed}: a whole number of 64 bits; default 1.
 *   <li>{@code refusal_charge}: what a refused or failed request is charged, or 0; default 300s. {@code give_up_after}: when the host gives
 *       up on running work; default never. {@code routers}: independent routers, 1 to 1,000; default 1.
 *   <li>{@code poll}: {@code every}, or 0 for the policy's own interval; {@code delay}, or 0; {@code noise_pct}, 0 to 100 percentage points;
 *       {@code loss}, a share of 0 to 1. The default of each is 0. See {@link dev.substraterouter.simulate.Polling}.
 *   <li>{@code traffic}: a list of at least one; required. Each has
 *       <ul>
 *         <li>{@code arrivals}, required, one of {@code poisson: {per_hour}}; {@code bursts: {per_hour, on: 60s, off: 180s, on_factor: 3.4,
 *             off_factor: 0.2, groups: {share, size}}}, where all but {@code per_hour} have the default shown, factors are 0 to 1,000 and come to 1 over on and off, {@code
 *             share} is 0 to 1, {@code size} 1 to 10,000, and without {@code groups} there are none; {@code recorded}, a file of {@link
 *             dev.substraterouter.trace.jsonl.JsonLinesRequests}; {@code traces}, a file or directory of the router's traces, of which the
 *             requests are taken and not how long they took: {@code work} and {@code nodes} say that. With the times that were observed see
 *             {@link dev.substraterouter.simulate.replay.TraceReplay}. {@code per_hour} is above 0, at most 1e9;
 *         <li>{@code workloads}: shares by workload, above 0, relative to each other. Required, but for {@code recorded}, whose file's counts
 *             are the default, and which may name only workloads listed here; and not with {@code traces};
 *         <li>{@code classes}: by name, each with {@code share}, above 0, default 1; {@code identity}; {@code priority: low | normal |
 *             high}; {@code mode: interactive | batch | either}; {@code max_wait}, or 0; {@code deadline}; {@code idempotent}, default true;
 *             {@code patience}, after which the client hangs up, default never; {@code interactive}, default true. Default: one class
 *             without particulars; for {@code recorded}, the file's classes without any; and not with {@code traces}. See {@link
 *             dev.substraterouter.simulate.RequestClass}.
 *       </ul>
 *   <li>{@code work}: by workload, the service time on a node of speed 1.
 *   <li>A service time is a duration, or one of {@code takes: 40s}, with {@code sigma} of 0 to 5 lognormal, with {@code distribution: fixed |
 *       lognormal | exponential} as that says; {@code observed: [38s, 41s]}, each as likely; and {@code observed_file}, a text file with a time
 *       a line, in seconds or with a unit.
 *   <li>{@code nodes}: by substrate, each with {@code slots}, 1 to 10,000, default the policy's; {@code vram_gb}, GiB, default the policy's;
 *       {@code speed}, 1e-6 to 1e6, default 1; {@code serves}: by workload, a service time here, instead of work ÷ speed; {@code overload:
 *       share | queue | refuse}, default share; {@code shared_speed}, above 0 to 1, default 0.9; {@code out_of_memory_after}, or 0,
 *       default 2s; {@code retry_after}, or 0, default 10s; {@code models: {resident, load_time}}, 1 to 10,000 and a duration or 0,
 *       default not simulated; {@code base_util_pct}, 0 to 100, default 0; {@code util_per_job_pct}, 0 to 100, default 100 ÷ slots;
 *       {@code base_temp_c}, -50 to 200 °C, default 50; {@code busy_kw}, kW of a busy slot, default 0; {@code episodes}. A substrate
 *       that is not here behaves as the policy says. See {@link dev.substraterouter.simulate.NodeModel}.
 *   <li>{@code episodes}: at most 10, by name, each with its time, and {@code util_pct}, 0 to 100, default 0; {@code vram_gb}, GiB, default
 *       0; {@code jobs}, 0 to 10,000, default 0; {@code speed}, above 0 to 1, default 1; {@code temp_c}, -50 to 200 °C, default as it is;
 *       {@code unavailable} and {@code owner}, default false; {@code stream}, 0 to 9, default its place. See {@link
 *       dev.substraterouter.simulate.Episode}.
 *   <li>{@code faults}: a list, each with one of {@code crash}, {@code hang}, {@code slow}, {@code lying_status} and {@code partition},
 *       whose value is a substrate; its time; {@code factor}, above 0 to 1, for {@code slow} and required there; {@code router}, from 0,
 *       for {@code partition}, default every one. See {@link dev.substraterouter.simulate.Fault}.
 *   <li>A time is one of {@code on} and {@code off}, mean lengths of alternating phases, off first; {@code from}, or 0, and {@code for}; {@code
 *       at: [{from, for}]}, in order; {@code always: true}.
 * </ul>
 *
 * <p>Names of files are relative to the scenario's own file; a scenario from a text or a stream names none.
 */
public final class YamlScenario {
    private YamlScenario() {}

    /**
     * The scenario in a file. Blocks while it and the files that it names are read.
     *
     * @throws IOException if the file cannot be read; its message names the file
     * @throws ScenarioException if it holds no scenario that can be used; its message names the file
     */
    public static Scenario load(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(SourceText.MAX_BYTES + 1);
            return scenario(file.toString(), Folder.of(file), () -> SourceText.of(bytes));
        } catch (FileSystemException e) {
            throw e; // names it already
        } catch (IOException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }

    /**
     * The scenario in a stream. Reads to its end, or one byte past 1 MiB, and does not close it. Blocks while it is read.
     *
     * @throws IOException if the stream cannot be read
     * @throws ScenarioException if it holds no scenario that can be used
     */
    public static Scenario load(InputStream in) throws IOException {
        byte[] bytes = in.readNBytes(SourceText.MAX_BYTES + 1);
        return scenario("the scenario", Folder.none(), () -> SourceText.of(bytes));
    }

    /**
     * The scenario in a text.
     *
     * @throws ScenarioException if it holds no scenario that can be used
     */
    public static Scenario parse(String yaml) {
        return scenario("the scenario", Folder.none(), () -> SourceText.of(yaml));
    }

    private static Scenario scenario(String source, Folder folder, Supplier<String> text) {
        try {
            Node root = TreeReader.read(text.get(), "a scenario, so version: 1, name and traffic");
            Problems problems = new Problems();
            At top = At.top(problems, "the scenario");
            Version.refuseOther(ScenarioKeys.VERSION, root, top);
            Optional<Scenario> scenario = ScenarioKeys.type(folder).read(root, top);
            problems.throwIfAny();
            return scenario.orElseThrow();
        } catch (PolicyException e) { // what the reader of any file throws
            throw new ScenarioException(source, e.problems());
        }
    }
}
