package dev.substraterouter.probe.http;

import dev.substraterouter.status.SubstrateStatus;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What {@code rocm-smi --showuse --showtemp --showmeminfo vram --json} prints, served at the address of the policy as it is. All values are
 * text, memory in bytes; the edge temperature is read, or the junction's of a card that has no edge sensor.
 */
final class RocmSmiFormat implements StatusFormat {
    private static final Pattern CARD = Pattern.compile("card(0|[1-9][0-9]{0,3})");
    private static final String EDGE = "Temperature (Sensor edge) (C)";
    private static final String JUNCTION = "Temperature (Sensor junction) (C)";

    @Override
    public String name() {
        return "rocm-smi";
    }

    @Override
    public SubstrateStatus read(StatusAnswer answer) throws NoStatusException {
        JsonNode root = AmdCards.document(answer.ok().body());
        SubstrateStatus.Builder status = SubstrateStatus.builder();
        List<Map.Entry<String, JsonNode>> cards = root.properties().stream()
                .filter(member -> CARD.matcher(member.getKey()).matches()
                        && member.getValue().isObject())
                .limit(SubstrateFormat.MAX_GPUS)
                .toList();
        if (cards.isEmpty()) {
            throw Surface.notThisServer("card0");
        }
        cards.forEach(
                card -> card(status, Integer.parseInt(card.getKey().substring("card".length())), card.getValue()));
        return status.build();
    }

    private static void card(SubstrateStatus.Builder status, int index, JsonNode said) {
        JsonNode edge = AmdCards.member(said, EDGE);
        new Card(status, "card" + index, index)
                .utilPct(AmdCards.figure(AmdCards.member(said, "GPU use (%)")))
                .usedGib(gib(AmdCards.member(said, "VRAM Total Used Memory (B)")))
                .totalGib(gib(AmdCards.member(said, "VRAM Total Memory (B)")))
                .tempC(AmdCards.figure(edge == null ? AmdCards.member(said, JUNCTION) : edge))
                .name(name(AmdCards.member(said, "Card series")))
                .add();
    }

    private static double gib(@Nullable JsonNode bytes) {
        return AmdCards.figure(bytes) / Card.BYTES_PER_GIB;
    }

    private static @Nullable String name(@Nullable JsonNode said) {
        return said == null || !said.isString() || said.stringValue().isBlank() ? null : said.stringValue();
    }
}
