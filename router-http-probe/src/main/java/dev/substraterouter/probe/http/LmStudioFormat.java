package dev.substraterouter.probe.http;

import dev.substraterouter.status.SubstrateStatus;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * LM Studio, {@code /api/v0/models} or {@code /api/v1/models}: which of the downloaded models are in memory. It tells nothing else. (Its
 * {@code /v1/models} lists what could be loaded, and is refused.)
 */
final class LmStudioFormat implements StatusFormat {
    private static final Set<String> WANTED = Set.of("data", "id", "state", "models", "key", "loaded_instances");

    @Override
    public String name() {
        return "lmstudio";
    }

    @Override
    public List<String> paths() {
        return List.of("/api/v0/models");
    }

    @Override
    public SubstrateStatus read(StatusAnswer answer) throws NoStatusException {
        JsonNode root = Json.only(answer.ok().body(), WANTED);
        SubstrateStatus.Builder status = SubstrateStatus.builder();
        if (root.path("models").isArray()) {
            Figures.models(
                    status,
                    root.path("models").values().stream()
                            .filter(model -> !model.path("loaded_instances").isEmpty())
                            .flatMap(model -> Members.text(model, "key").stream())
                            .toList());
        } else if (root.path("data").isArray()) {
            Figures.models(status, loaded(List.copyOf(root.path("data").values())));
        } else {
            throw Surface.notThisServer("data or models");
        }
        return status.build();
    }

    private static List<String> loaded(List<JsonNode> models) throws NoStatusException {
        if (models.stream().anyMatch(model -> Members.text(model, "state").isEmpty())) {
            throw Surface.notThisServer("data whose models tell their state");
        }
        return models.stream()
                .filter(model -> Members.text(model, "state").orElse("").equals("loaded"))
                .flatMap(model -> Members.text(model, "id").stream())
                .toList();
    }
}
