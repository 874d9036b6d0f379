package dev.substraterouter.examples.quickstart;

import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PollSettings;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.probe.http.HttpStatusProbe;
import dev.substraterouter.trace.RefusalReason;
import java.time.Duration;

/** Act 1: a pin. The machine leaves the client's code; nothing chooses yet. */
final class PinAct {
    private static final RouteRequest UPSCALE = RouteRequest.workload("upscale");

    private final Story story;
    private final Worker mirrorforge;

    PinAct(Story story, Worker mirrorforge) {
        this.story = story;
        this.mirrorforge = mirrorforge;
    }

    /** The policy in code: one machine, one workload, and which serves which. */
    private Policy policy() {
        return Policy.builder()
                .substrate(Substrate.builder("mirrorforge")
                        .endpoint(mirrorforge.endpoint())
                        .status(mirrorforge.statusAddress().toString())
                        .vramGb(64)
                        .gpus(2)
                        .maxConcurrentJobs(2)
                        .build())
                .workload(
                        Workload.builder("upscale").vramGb(6).pin("mirrorforge").build())
                .poll(PollSettings.builder().every(Duration.ofMillis(50)).build())
                .build();
    }

    void play() throws Story.Broken, InterruptedException {
        story.act("Act 1: a pin. The client says 'upscale'; the policy says where that is.");
        try (SubstrateRouter router = SubstrateRouter.builder()
                .policy(policy())
                .statusSource(HttpStatusProbe.create())
                .build()) {
            Client client = new Client(router);
            story.step("A pin serves");
            story.expect("ready", router.awaitReady(Duration.ofSeconds(10)));
            Answer served = story.send(client, UPSCALE);
            story.expect("served where it is pinned", served.by("mirrorforge"));

            story.step("A pin does not move: while others fill the machine, it waits or is refused");
            mirrorforge.othersBegin();
            story.until("no place", () -> router.recommend(UPSCALE).best().isEmpty());
            Answer refused = story.send(client, UPSCALE.maxWait(Duration.ZERO));
            story.expect("refused, since it would not wait", refused.refusedBecause(RefusalReason.NO_WAIT));
            mirrorforge.othersEnd();
        }
    }
}
