package consumer;

import dev.substraterouter.Placement;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.status.SubstrateStatus;
import java.net.URI;

/** A host with a policy in code that reports the status itself. */
public final class Main {

    private Main() {}

    public static void main(String[] arguments) throws Exception {
        Policy policy = Policy.builder()
                .substrate(Substrate.builder("legion")
                        .endpoint(URI.create("http://127.0.0.1:8188"))
                        .vramGb(32)
                        .maxConcurrentJobs(1)
                        .build())
                .workload(
                        Workload.builder("flux-fill").vramGb(24).route("legion").build())
                .build();
        try (SubstrateRouter router = SubstrateRouter.builder().policy(policy).build()) {
            router.reportStatus(
                    "legion",
                    SubstrateStatus.builder()
                            .gpuUtilPct(3)
                            .vramUsedGb(1)
                            .vramTotalGb(32)
                            .gpuTempC(40)
                            .runningJobs(0)
                            .queuedJobs(0)
                            .build());
            try (Placement placement = router.place(RouteRequest.workload("flux-fill"))) {
                System.out.println("served by " + placement.substrateId());
                placement.succeed();
            }
        }
    }
}
