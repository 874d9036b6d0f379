package dev.substraterouter.testkit;

import dev.substraterouter.status.SubstrateStatus;

/** Statuses ready to use. */
public final class Statuses {
    private Statuses() {}

    /** A card of so many GiB that is cool, idle and empty. */
    public static SubstrateStatus idle(double vramTotalGb) {
        return healthy(vramTotalGb).build();
    }

    /** A builder for a card of so many GiB that is cool, idle and empty, to be made worse. */
    public static SubstrateStatus.Builder healthy(double vramTotalGb) {
        return SubstrateStatus.builder()
                .gpuUtilPct(3)
                .vramUsedGb(0)
                .vramTotalGb(vramTotalGb)
                .gpuTempC(45)
                .runningJobs(0)
                .queuedJobs(0);
    }

    /** A card that somebody else keeps busy. */
    public static SubstrateStatus loaded(double vramTotalGb) {
        return healthy(vramTotalGb).gpuUtilPct(93).build();
    }
}
