package dev.substraterouter.properties;

import dev.substraterouter.Placement;
import dev.substraterouter.status.StatusSink;
import dev.substraterouter.status.StatusSource;
import dev.substraterouter.status.StatusTarget;
import dev.substraterouter.status.StatusTicket;
import dev.substraterouter.status.SubstrateStatus;
import java.util.ArrayList;
import java.util.List;

/** A worker with one card that tells the truth about itself: what the router has placed there, and what others have. */
final class Worker {
    final String id;
    final double totalGb;
    private final double gbPerJob;
    private final double utilPerJob;
    final List<Placement> own = new ArrayList<>();
    /** Jobs of ours that go on after their placement has ended. */
    int zombies;

    int foreignJobs;
    double foreignGb;
    double foreignUtil;

    Worker(String id, double totalGb, double gbPerJob, double utilPerJob) {
        this.id = id;
        this.totalGb = totalGb;
        this.gbPerJob = gbPerJob;
        this.utilPerJob = utilPerJob;
    }

    int running() {
        return own.size() + zombies + foreignJobs;
    }

    double usedGb() {
        return (own.size() + zombies) * gbPerJob + foreignGb;
    }

    /** What it says of itself at this moment. */
    SubstrateStatus status(double noise) {
        double util = foreignUtil + (own.size() + zombies) * utilPerJob + noise;
        return SubstrateStatus.builder()
                .gpuUtilPct(Math.min(100, Math.max(0, util)))
                .vramUsedGb(Math.min(totalGb, usedGb()))
                .vramTotalGb(totalGb)
                .gpuTempC(50)
                .runningJobs(running())
                .build();
    }

    /** A source that asks when the test says so. */
    static final class Poll implements StatusSource {
        private StatusSink sink;
        int refreshes;

        StatusTicket ask(String id) {
            return sink.asking(id);
        }

        @Override
        public void start(StatusSink to) {
            sink = to;
        }

        @Override
        public void targets(List<StatusTarget> targets) {}

        @Override
        public void refresh(String substrateId) {
            refreshes++;
        }

        @Override
        public void close() {}
    }
}
