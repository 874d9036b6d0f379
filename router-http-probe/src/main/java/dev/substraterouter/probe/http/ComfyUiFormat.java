package dev.substraterouter.probe.http;

import dev.substraterouter.status.SubstrateStatus;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * ComfyUI: {@code /system_stats} (cards), {@code /prompt} (jobs, running and waiting in one figure; cheap) and {@code /queue} (running,
 * waiting, and when the newest was queued; megabytes of workflows, so not asked by default).
 *
 * <p>It counts memory that its own process holds and does not use as free, so its cards look freer than the vendor's tool says. A
 * processor is not a card, and the memory of unified and DirectML devices is a placeholder: unknown.
 */
final class ComfyUiFormat implements StatusFormat {
    private static final int MAX_BYTES = 4 * 1024 * 1024;
    private static final int EXTRA_DATA = 3; // the place in a queued item: number, id, workflow, extra data, outputs

    private static final Set<String> WANTED = Set.of(
            "devices",
            "name",
            "type",
            "index",
            "vram_total",
            "vram_free",
            "queue_running",
            "queue_pending",
            "create_time",
            "exec_info",
            "queue_remaining");

    @Override
    public String name() {
        return "comfyui";
    }

    @Override
    public List<String> paths() {
        return List.of("/system_stats", "/prompt");
    }

    @Override
    public int maxBytes() {
        return MAX_BYTES;
    }

    @Override
    public SubstrateStatus read(StatusAnswer answer) throws NoStatusException {
        JsonNode root = Json.only(answer.ok().body(), WANTED);
        SubstrateStatus.Builder status = SubstrateStatus.builder();
        Members members = new Members(status);
        if (root.path("devices").isArray()) {
            devices(status, members, root.path("devices"));
        } else if (root.has("queue_running") || root.has("queue_pending")) {
            queue(status, members, root);
        } else if (root.has("exec_info")) {
            members.number(root.path("exec_info"), "exec_info.", "queue_remaining")
                    .ifPresent(value -> Figures.count(status, "queue_remaining", value, status::jobs));
        } else {
            throw Surface.notThisServer("devices, queue_running or exec_info");
        }
        return status.build();
    }

    private static void devices(SubstrateStatus.Builder status, Members members, JsonNode devices) {
        List<JsonNode> cards = members.elements(devices, "devices", SubstrateFormat.MAX_GPUS).stream()
                .filter(device -> !type(device).equals("cpu"))
                .toList();
        int[] numbers =
                Card.numbers(cards.stream().mapToInt(ComfyUiFormat::number).toArray());
        for (int i = 0; i < numbers.length; i++) {
            device(status, members, cards.get(i), numbers[i]);
        }
    }

    private static void device(SubstrateStatus.Builder status, Members members, JsonNode device, int index) {
        String place = "devices[" + index + "]";
        Card card =
                new Card(status, place, index).name(Members.text(device, "name").orElse(null));
        if (isPlaceholder(device)) {
            card.note("memory is a placeholder, or shared with the host").add();
            return;
        }
        double total = members.gib(device, place + ".", "vram_total");
        double free = members.gib(device, place + ".", "vram_free");
        card.totalGib(total).usedGib(total - free).add();
    }

    private static boolean isPlaceholder(JsonNode device) {
        String name = Members.text(device, "name").orElse("").toLowerCase(Locale.ROOT);
        return type(device).equals("mps") || type(device).equals("privateuseone") || name.contains("directml");
    }

    private static String type(JsonNode device) {
        return Members.text(device, "type").orElse("").toLowerCase(Locale.ROOT);
    }

    private static int number(JsonNode device) {
        JsonNode index = Members.said(device, "index");
        return index == null || !index.isNumber() ? -1 : Card.number(index.doubleValue());
    }

    private static void queue(SubstrateStatus.Builder status, Members members, JsonNode root) {
        JsonNode running = root.path("queue_running");
        JsonNode pending = root.path("queue_pending");
        if (running.isArray()) {
            status.runningJobs(running.size());
        }
        if (pending.isArray()) {
            status.queuedJobs(pending.size());
        }
        Stream.of(running, pending)
                .flatMap(items -> items.isArray() ? items.values().stream() : Stream.empty())
                .flatMapToDouble(item -> members.number(item.path(EXTRA_DATA), "extra_data.", "create_time").stream())
                .max()
                .ifPresent(millis -> Figures.lastRequest(status, millis));
    }
}
