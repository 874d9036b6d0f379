package dev.substraterouter.simulate.yaml;

import dev.substraterouter.internal.yaml.At;
import dev.substraterouter.internal.yaml.Draft;
import dev.substraterouter.internal.yaml.Section;
import dev.substraterouter.internal.yaml.Type;
import dev.substraterouter.internal.yaml.Types;
import dev.substraterouter.simulate.Episode;
import dev.substraterouter.simulate.NodeModel;
import dev.substraterouter.simulate.Overload;
import dev.substraterouter.simulate.ServiceTime;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** The keys that tell how a node behaves. */
final class NodeKeys {
    /** Each node has as many random streams for its episodes. */
    private static final int MOST_EPISODES = 10;

    private record Models(int resident, Duration loadTime) {}

    private static final Type<Models> MODELS = Ranges.made(
            Section.ofDraft()
                    .required("resident", Ranges.count(1, 10_000), Draft.put("resident"))
                    .required("load_time", Ranges.NOT_NEGATIVE, Draft.put("load_time")),
            (draft, at) -> Optional.of(
                    new Models(draft.get("resident", Integer.class), draft.get("load_time", Duration.class))));

    private static final Type<Episode> EPISODE = Ranges.made(
            Schedules.in(Section.ofDraft())
                    .key("util_pct", Ranges.PERCENT, Draft.put("util_pct"))
                    .key("vram_gb", Ranges.AMOUNT, Draft.put("vram_gb"))
                    .key("jobs", Ranges.count(0, 10_000), Draft.put("jobs"))
                    .key("speed", Ranges.SLOWING, Draft.put("speed"))
                    .key("temp_c", Ranges.TEMPERATURE, Draft.put("temp_c"))
                    .key("unavailable", Types.FLAG, Draft.put("unavailable"))
                    .key("owner", Types.FLAG, Draft.put("owner"))
                    .key("stream", Ranges.count(0, MOST_EPISODES - 1), Draft.put("stream")),
            NodeKeys::episode);

    private static final Type<Map<String, Episode>> EPISODES = Ranges.checked(
            Types.mapOf(EPISODE),
            episodes -> episodes.size() <= MOST_EPISODES,
            "at most " + MOST_EPISODES + " entries");

    private NodeKeys() {}

    static Type<NodeModel> type(Type<ServiceTime> time) {
        return Ranges.made(
                Section.ofDraft()
                        .key("slots", Ranges.count(1, 10_000), Draft.put("slots"))
                        .key("vram_gb", Ranges.AMOUNT, Draft.put("vram_gb"))
                        .key("speed", Ranges.SPEED, Draft.put("speed"))
                        .key("serves", Ranges.named(time), Draft.put("serves"))
                        .key("overload", Types.word(Overload.class), Draft.put("overload"))
                        .key("shared_speed", Ranges.SLOWING, Draft.put("shared_speed"))
                        .key("out_of_memory_after", Ranges.NOT_NEGATIVE, Draft.put("out_of_memory_after"))
                        .key("retry_after", Ranges.NOT_NEGATIVE, Draft.put("retry_after"))
                        .key("models", MODELS, Draft.put("models"))
                        .key("base_util_pct", Ranges.PERCENT, Draft.put("base_util_pct"))
                        .key("util_per_job_pct", Ranges.PERCENT, Draft.put("util_per_job_pct"))
                        .key("base_temp_c", Ranges.TEMPERATURE, Draft.put("base_temp_c"))
                        .key("busy_kw", Ranges.AMOUNT, Draft.put("busy_kw"))
                        .key("episodes", EPISODES, Draft.put("episodes")),
                NodeKeys::node);
    }

    private static Optional<NodeModel> node(Draft draft, At at) {
        NodeModel.Builder node = NodeModel.builder(at.label());
        draft.find("slots", Integer.class).ifPresent(node::slots);
        draft.find("vram_gb", Double.class).ifPresent(node::vramGb);
        draft.find("speed", Double.class).ifPresent(node::speed);
        draft.map("serves", ServiceTime.class).forEach(node::serves);
        draft.find("overload", Overload.class).ifPresent(node::overload);
        draft.find("shared_speed", Double.class).ifPresent(node::sharedSpeed);
        draft.find("out_of_memory_after", Duration.class).ifPresent(node::outOfMemoryAfter);
        draft.find("retry_after", Duration.class).ifPresent(node::retryAfter);
        draft.find("models", Models.class).ifPresent(models -> node.models(models.resident(), models.loadTime()));
        draft.find("base_util_pct", Double.class).ifPresent(node::baseUtilPct);
        draft.find("util_per_job_pct", Double.class).ifPresent(node::utilPerJobPct);
        draft.find("base_temp_c", Double.class).ifPresent(node::baseTempC);
        draft.find("busy_kw", Double.class).ifPresent(node::busyKw);
        draft.map("episodes", Episode.class).values().forEach(node::episode);
        return Optional.of(node.build());
    }

    private static Optional<Episode> episode(Draft draft, At at) {
        return Schedules.of(draft, at).map(schedule -> {
            Episode.Builder episode = Episode.builder(at.label(), schedule);
            draft.find("util_pct", Double.class).ifPresent(episode::utilPct);
            draft.find("vram_gb", Double.class).ifPresent(episode::vramGb);
            draft.find("jobs", Integer.class).ifPresent(episode::jobs);
            draft.find("speed", Double.class).ifPresent(episode::speed);
            draft.find("temp_c", Double.class).ifPresent(episode::tempC);
            draft.find("unavailable", Boolean.class).ifPresent(episode::unavailable);
            draft.find("owner", Boolean.class).ifPresent(episode::owner);
            draft.find("stream", Integer.class).ifPresent(episode::stream);
            return episode.build();
        });
    }
}
