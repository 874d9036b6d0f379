package dev.substraterouter.examples.whatif.report;

import dev.substraterouter.examples.whatif.advice.Advice;
import dev.substraterouter.examples.whatif.advice.Study;
import dev.substraterouter.examples.whatif.compare.Entrant;
import dev.substraterouter.examples.whatif.compare.Estimate;
import dev.substraterouter.examples.whatif.compare.Measure;
import dev.substraterouter.examples.whatif.compare.Results;
import java.util.Locale;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A comparison as JSON: {@code scenario}, {@code seeds}, {@code contenders}, {@code loads} (for each its {@code figures} by contender and
 * measure, and their {@code differences} from {@code baseline}) and {@code advice}. An interval that one seed does not have is null.
 */
public final class JsonReport {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private JsonReport() {}

    /** The text, with line breaks. */
    public static String of(Results results, Study study, Advice advice) {
        ObjectNode root = JSON.createObjectNode();
        String baseline = study.pin().orElse(study.router());
        root.put("version", 1)
                .put("scenario", results.scenario().name())
                .put("seeds", results.seeds())
                .put("baseline", baseline)
                .put("base_load", results.baseLoad());
        ObjectNode units = root.putObject("units");
        for (Measure measure : Measure.values()) {
            units.put(key(measure), measure.unit());
        }
        ArrayNode contenders = root.putArray("contenders");
        results.entrants()
                .forEach(one -> contenders.addObject().put("name", one.name()).put("what", one.what()));
        ArrayNode loads = root.putArray("loads");
        results.loads().forEach(load -> load(loads.addObject(), results, baseline, load));
        advice(root.putObject("advice"), advice);
        return root.toPrettyString() + "\n";
    }

    private static void load(ObjectNode node, Results results, String baseline, double load) {
        node.put("load", load).put("requests_per_hour", results.requestsPerHour(load));
        ObjectNode figures = node.putObject("figures");
        ObjectNode differences = node.putObject("differences");
        for (Entrant entrant : results.entrantsAt(load)) {
            ObjectNode means = figures.putObject(entrant.name());
            ObjectNode more = differences.putObject(entrant.name());
            for (Measure measure : Measure.values()) {
                estimate(means.putObject(key(measure)), results.mean(entrant.name(), load, measure));
                estimate(more.putObject(key(measure)), results.difference(entrant.name(), baseline, load, measure));
            }
            ObjectNode owners = means.putObject("owner_seconds_by_node");
            results.ownerSeconds(entrant.name(), load)
                    .forEach((substrate, seconds) -> estimate(owners.putObject(substrate), seconds));
        }
    }

    private static void estimate(ObjectNode node, Estimate estimate) {
        node.put("mean", estimate.mean());
        if (estimate.hasInterval()) {
            node.put("half_width", estimate.halfWidth());
        } else {
            node.putNull("half_width");
        }
    }

    private static void advice(ObjectNode node, Advice advice) {
        node.put("verdict", advice.verdict().name().toLowerCase(Locale.ROOT))
                .put("threshold", advice.threshold())
                .put("headline", advice.headline());
        ArrayNode topics = node.putArray("topics");
        advice.topics().forEach(topic -> {
            ArrayNode sentences = topics.addObject().put("title", topic.title()).putArray("sentences");
            topic.sentences().forEach(sentences::add);
        });
    }

    private static String key(Measure measure) {
        return measure.name().toLowerCase(Locale.ROOT);
    }
}
