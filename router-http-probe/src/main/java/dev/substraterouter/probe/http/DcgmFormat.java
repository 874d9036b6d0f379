package dev.substraterouter.probe.http;

import dev.substraterouter.status.SubstrateStatus;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * NVIDIA's dcgm-exporter, {@code /metrics}: the cards, by their identity. Its {@code /health} says nothing of a card.
 *
 * <p>Memory is in MiB and total = used + free + reserved. What DCGM has no value for comes as a number near the end of its type's range,
 * and is unknown.
 */
final class DcgmFormat implements StatusFormat {
    private static final int MAX_BYTES = 4 * 1024 * 1024;

    @Override
    public String name() {
        return "dcgm";
    }

    @Override
    public List<String> paths() {
        return List.of("/metrics");
    }

    @Override
    public String accept() {
        return "text/plain;version=0.0.4";
    }

    @Override
    public int maxBytes() {
        return MAX_BYTES;
    }

    @Override
    public SubstrateStatus read(StatusAnswer answer) throws NoStatusException {
        if (Surface.isHealth(answer)) {
            answer.ok();
            return SubstrateStatus.builder().build();
        }
        PrometheusText page = Surface.metrics(answer, Set.copyOf(DcgmCard.FAMILIES));
        Map<String, DcgmCard> cards = new LinkedHashMap<>();
        for (String family : DcgmCard.FAMILIES) {
            for (PrometheusText.Sample sample : page.samples(family)) {
                cards.computeIfAbsent(key(sample), any -> new DcgmCard(sample)).add(family, sample);
            }
        }
        return status(List.copyOf(cards.values()));
    }

    /** The card's identity; in its absence the number, which is unique on one node. */
    private static String key(PrometheusText.Sample sample) {
        String said = PrometheusText.said(sample, "UUID", "uuid", "gpu", "device");
        return said == null ? "" : said;
    }

    private static SubstrateStatus status(List<DcgmCard> cards) {
        SubstrateStatus.Builder status = SubstrateStatus.builder();
        int most = SubstrateFormat.MAX_GPUS;
        if (cards.size() > most) {
            status.odd("gpus: " + cards.size() + " (expected: at most " + most + "; the rest is left out)");
        }
        List<DcgmCard> ordered = cards.stream()
                .sorted(Comparator.comparingInt(DcgmCard::number))
                .limit(most)
                .toList();
        int[] numbers = Card.numbers(ordered.stream().mapToInt(DcgmCard::number).toArray());
        for (int i = 0; i < numbers.length; i++) {
            ordered.get(i).tell(status, numbers[i]);
        }
        return status.build();
    }
}
