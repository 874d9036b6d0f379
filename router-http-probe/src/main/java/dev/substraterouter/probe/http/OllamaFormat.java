package dev.substraterouter.probe.http;

import dev.substraterouter.status.SubstrateStatus;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Ollama, {@code /api/ps}: the models in memory, and its own estimate of what they take, as the attribute {@code models_vram_mib}. It tells
 * neither the card nor any job, and its estimate says nothing of other users of the card.
 *
 * <p>The attribute {@code models_expire_at} is the earliest time at which a model will be unloaded. It is no time of a request; but a model
 * that is still listed well after it is suspect.
 */
final class OllamaFormat implements StatusFormat {
    private static final double BYTES_PER_MIB = 1 << 20;

    @Override
    public String name() {
        return "ollama";
    }

    @Override
    public List<String> paths() {
        return List.of("/api/ps");
    }

    @Override
    public SubstrateStatus read(StatusAnswer answer) throws NoStatusException {
        JsonNode root = Json.only(answer.ok().body(), Set.of("models", "name", "model", "size_vram", "expires_at"));
        if (!root.has("models")) {
            throw Surface.notThisServer("models");
        }
        SubstrateStatus.Builder status = SubstrateStatus.builder();
        JsonNode models = root.path("models");
        if (models.isArray()) {
            models(status, List.copyOf(models.values()));
        }
        return status.build();
    }

    private static void models(SubstrateStatus.Builder status, List<JsonNode> models) {
        List<String> names = new ArrayList<>();
        models.forEach(model -> name(model).ifPresent(names::add));
        Figures.models(status, names);
        vram(new Members(status), models).ifPresent(mib -> status.attribute("models_vram_mib", text(mib)));
        models.stream()
                .flatMap(model -> expiry(status, model).stream())
                .min(Comparator.naturalOrder())
                .ifPresent(time -> status.attribute("models_expire_at", time.toString()));
    }

    private static Optional<String> name(JsonNode model) {
        return Members.text(model, "name").or(() -> Members.text(model, "model"));
    }

    /** Empty for the year 1, which is what a model that is still loading says in older versions. */
    private static Optional<Instant> expiry(SubstrateStatus.Builder status, JsonNode model) {
        try {
            return Members.text(model, "expires_at")
                    .map(text -> OffsetDateTime.parse(text).toInstant())
                    .filter(time -> time.isAfter(Instant.EPOCH));
        } catch (DateTimeException notATime) {
            status.odd("models.expires_at is not a time (expected: ISO 8601 with its zone)");
            return Optional.empty();
        }
    }

    /** The sum; a model without the member takes none, as versions of mid-2024 leave a zero out. */
    private static OptionalDouble vram(Members members, List<JsonNode> models) {
        double bytes = 0;
        for (JsonNode model : models) {
            OptionalDouble one = members.number(model, "models.", "size_vram");
            if ((one.isEmpty() && Members.said(model, "size_vram") != null) || one.orElse(0) < 0) {
                return OptionalDouble.empty();
            }
            bytes += one.orElse(0);
        }
        return Double.isFinite(bytes) ? OptionalDouble.of(bytes / BYTES_PER_MIB) : OptionalDouble.empty();
    }

    private static String text(double mib) {
        return mib == Math.rint(mib) ? Long.toString((long) mib) : Double.toString(mib);
    }
}
