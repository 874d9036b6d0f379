package dev.substraterouter.probe.http;

import dev.substraterouter.status.SubstrateStatus;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * AUTOMATIC1111's web UI and its forks, started with {@code --api}: {@code /sdapi/v1/memory} (the card), {@code /sdapi/v1/progress} (a job
 * running or not) and {@code /sdapi/v1/options} (the checkpoint).
 *
 * <p>Who waits is blocked on a lock and not visible: the queue is unknown. Forks freeze the progress, and an old build its count of jobs,
 * so whether a job runs is taken from its name and its count.
 */
final class A1111Format implements StatusFormat {
    private static final int MAX_BYTES = 4 * 1024 * 1024; // the image in the making, where it is asked for

    private static final Set<String> WANTED = Set.of(
            "cuda", "system", "used", "total", "error", "progress", "state", "job", "job_count", "sd_model_checkpoint");

    @Override
    public String name() {
        return "a1111";
    }

    @Override
    public List<String> paths() {
        return List.of("/sdapi/v1/memory", "/sdapi/v1/progress?skip_current_image=true");
    }

    @Override
    public int maxBytes() {
        return MAX_BYTES;
    }

    @Override
    public SubstrateStatus read(StatusAnswer answer) throws NoStatusException {
        JsonNode root = Json.only(answer.ok().body(), WANTED);
        SubstrateStatus.Builder status = SubstrateStatus.builder();
        if (root.has("cuda")) {
            memory(status, root.path("cuda"));
        } else if (root.has("progress")) {
            progress(status, root.path("state"));
        } else if (root.has("sd_model_checkpoint")) {
            Members.text(root, "sd_model_checkpoint").ifPresent(status::loadedModels);
        } else {
            throw Surface.notThisServer("cuda, progress or sd_model_checkpoint");
        }
        return status.build();
    }

    private static void memory(SubstrateStatus.Builder status, JsonNode cuda) {
        if (!cuda.path("system").isObject()) {
            status.odd("cuda.system is not told" + (cuda.has("error") ? ": the server could not read it" : ""));
            return;
        }
        Members members = new Members(status);
        new Card(status, "cuda.system", 0)
                .usedGib(members.gib(cuda.path("system"), "cuda.system.", "used"))
                .totalGib(members.gib(cuda.path("system"), "cuda.system.", "total"))
                .add();
    }

    /** A job that begins has the count -1. */
    private static void progress(SubstrateStatus.Builder status, JsonNode state) {
        JsonNode count = Members.said(state, "job_count");
        JsonNode job = Members.said(state, "job");
        boolean counted = count != null && count.isNumber() && count.doubleValue() != 0;
        boolean named = job != null && job.isString() && !job.stringValue().isBlank();
        if (count == null && job == null) {
            status.odd("state tells neither job nor job_count");
        } else {
            status.runningJobs(counted || named ? 1 : 0);
        }
    }
}
