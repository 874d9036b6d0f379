package dev.substraterouter.probe.http;

import dev.substraterouter.status.SubstrateStatus;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * TabbyAPI, {@code /health}: healthy, or unhealthy with the code 503 and a list of issues. Nothing clears that list: unhealthy lasts until
 * the server is started anew. What an issue says is not read.
 */
final class TabbyApiFormat implements StatusFormat {
    @Override
    public String name() {
        return "tabbyapi";
    }

    @Override
    public List<String> paths() {
        return List.of("/health");
    }

    @Override
    public SubstrateStatus read(StatusAnswer answer) throws NoStatusException {
        boolean unavailable = answer.code() == 503 && Surface.isJson(answer);
        JsonNode root = Json.only(unavailable ? answer.body() : answer.ok().body(), Set.of("status", "issues"));
        return switch (Members.text(root, "status").orElse("")) {
            case "healthy" -> SubstrateStatus.builder().build();
            case "unhealthy" ->
                Surface.notReady("unhealthy: " + root.path("issues").size() + " issues since it started");
            default -> throw Surface.notThisServer("status healthy or unhealthy");
        };
    }
}
