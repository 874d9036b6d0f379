package dev.substraterouter.probe.http;

import dev.substraterouter.status.SubstrateStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What {@code amd-smi metric --json} prints, served at the address of the policy as it is: a list of cards, in newer versions within
 * {@code gpu_data}. A group or a leaf may be {@code "N/A"}. Its "MB" are MiB. Where a card has no edge sensor the hotspot's temperature is
 * read, and the card says so.
 */
final class AmdSmiFormat implements StatusFormat {
    @Override
    public String name() {
        return "amd-smi";
    }

    @Override
    public SubstrateStatus read(StatusAnswer answer) throws NoStatusException {
        JsonNode root = AmdCards.document(answer.ok().body());
        JsonNode cards = root.isArray() ? root : root.path("gpu_data");
        if (!cards.isArray() || (!cards.isEmpty() && cards.values().stream().noneMatch(AmdSmiFormat::isCard))) {
            throw Surface.notThisServer("a list of cards, or gpu_data");
        }
        SubstrateStatus.Builder status = SubstrateStatus.builder();
        List<JsonNode> kept = new Members(status).elements(cards, "gpu_data", SubstrateFormat.MAX_GPUS);
        int[] numbers = Card.numbers(kept.stream()
                .mapToInt(card -> Card.number(AmdCards.figure(card.get("gpu"))))
                .toArray());
        for (int i = 0; i < numbers.length; i++) {
            card(status, numbers[i], kept.get(i));
        }
        return status.build();
    }

    private static boolean isCard(JsonNode one) {
        return one.has("usage") || one.has("mem_usage") || one.has("temperature");
    }

    private static void card(SubstrateStatus.Builder status, int index, JsonNode said) {
        JsonNode memory = said.path("mem_usage");
        double total = gib(memory.get("total_vram"));
        double used = gib(memory.get("used_vram"));
        double edge = value(said.path("temperature").get("edge"));
        double hotspot = value(said.path("temperature").get("hotspot"));
        boolean noEdge = Double.isNaN(edge) && !Double.isNaN(hotspot);
        new Card(status, "gpu_data[" + index + "]", index)
                .utilPct(value(said.path("usage").get("gfx_activity")))
                .usedGib(Double.isNaN(used) ? total - gib(memory.get("free_vram")) : used)
                .totalGib(total)
                .tempC(noEdge ? hotspot : edge)
                .note(noEdge ? "the temperature is the hotspot's" : null)
                .add();
    }

    /** A leaf is an object of value and unit, or the value alone. */
    private static double value(@Nullable JsonNode leaf) {
        return AmdCards.figure(leaf != null && leaf.isObject() ? leaf.get("value") : leaf);
    }

    private static double gib(@Nullable JsonNode leaf) {
        String unit = leaf == null ? "" : Members.text(leaf, "unit").orElse("MB");
        double perGib =
                switch (unit) {
                    case "GB", "GiB" -> 1;
                    case "B" -> Card.BYTES_PER_GIB;
                    default -> Card.MIB_PER_GIB;
                };
        return value(leaf) / perGib;
    }
}
