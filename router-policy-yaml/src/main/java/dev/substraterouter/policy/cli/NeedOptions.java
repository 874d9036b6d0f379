package dev.substraterouter.policy.cli;

import dev.substraterouter.infer.InferredNeed;
import dev.substraterouter.infer.NeedInference;
import dev.substraterouter.model.Need;
import dev.substraterouter.model.Trust;
import dev.substraterouter.policy.cli.text.Visible;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options that describe a need: in a sentence, or value by value, which win over the sentence. */
final class NeedOptions {
    @Option(names = "--need", paramLabel = "SENTENCE", description = "What is needed, in words.")
    private @Nullable String sentence;

    @Option(
            names = "--capability",
            paramLabel = "NAME",
            description = "What the substrate must be able to do. Repeatable.")
    private List<String> capabilities = List.of();

    @Option(names = "--vram", paramLabel = "GB", description = "The GPU memory that the job takes.")
    private @Nullable Double vramGb;

    @Option(names = "--spans-gpus", description = "The memory may be spread over several GPUs.")
    private boolean spansGpus;

    @Option(names = "--codebase", paramLabel = "NAME", description = "The codebase that the substrate must hold.")
    private @Nullable String codebase;

    @Option(names = "--reaches", paramLabel = "NAME", description = "What must be reachable from it. Repeatable.")
    private List<String> reaches = List.of();

    @Option(names = "--privacy", paramLabel = "WORD", description = "controlled (the default), partner or public.")
    private @Nullable Trust privacy;

    @Option(names = "--min-quality", paramLabel = "SHARE", description = "The least quality, 0 to 1.")
    private @Nullable Double minQuality;

    @Option(
            names = "--max-latency",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "The longest service and load time, for example 90s.")
    private @Nullable Duration maxLatency;

    @Option(names = "--max-cost", paramLabel = "COST", description = "The highest cost of the job.")
    private @Nullable Double maxCost;

    /** Whether any of them is. */
    boolean isGiven() {
        return spansGpus
                || !capabilities.isEmpty()
                || !reaches.isEmpty()
                || Stream.of(sentence, vramGb, codebase, privacy, minQuality, maxLatency, maxCost)
                        .anyMatch(Objects::nonNull);
    }

    /**
     * The need. What of the sentence was not understood, or contradicts, is told on standard error.
     *
     * @throws IllegalArgumentException if a value is out of range
     */
    Need need(CommandSpec spec) {
        if (sentence == null) {
            return explicit();
        }
        InferredNeed inferred = NeedInference.standard().infer(sentence, explicit());
        PrintWriter err = spec.commandLine().getErr();
        inferred.notUnderstood().forEach(words -> err.println("not understood: " + Visible.of(words)));
        inferred.contradictions().forEach(words -> err.println("contradiction: " + Visible.of(words)));
        err.flush();
        return inferred.need();
    }

    private Need explicit() {
        Need.Builder need = Need.builder()
                .capabilities(capabilities.toArray(String[]::new))
                .reaches(reaches.toArray(String[]::new))
                .spansGpus(spansGpus);
        ifGiven(vramGb, need::vramGb);
        ifGiven(codebase, need::codebase);
        ifGiven(privacy, need::privacy);
        ifGiven(minQuality, need::minQuality);
        ifGiven(maxLatency, need::maxLatency);
        ifGiven(maxCost, need::maxCost);
        return need.build();
    }

    private static <T> void ifGiven(@Nullable T value, Consumer<T> set) {
        if (value != null) {
            set.accept(value);
        }
    }
}
