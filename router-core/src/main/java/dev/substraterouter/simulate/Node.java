package dev.substraterouter.simulate;

import dev.substraterouter.status.SubstrateStatus;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * One node at work. Jobs flow: between two changes each has one speed, and the next end follows from it. Not thread-safe.
 */
final class Node implements NodeTruth {
    private static final double DONE = 1e-9;

    private final NodeModel model;
    private final NodeFacts facts;
    private final VirtualTime time;
    private final NodeTally tally;
    private final List<Job> running = new ArrayList<>();
    private final Deque<Job> queued = new ArrayDeque<>();
    /** Jobs that did not fit and have not failed yet; they hold a slot and do not progress. */
    private final List<Job> choking = new ArrayList<>();

    private final Disturbances disturbances = new Disturbances();
    private final Residents resident;

    private long since;
    private @Nullable Runnable nextEnd;

    Node(NodeModel model, NodeFacts facts, VirtualTime time, NodeTally tally) {
        this.model = model;
        this.facts = facts;
        this.time = time;
        this.tally = tally;
        this.resident = new Residents(model);
    }

    /** A piece of work on the node. */
    final class Job {
        final int router;
        final double vramGb;
        final String modelName;
        private @Nullable Consumer<WorkEnd> whenOver;
        private Runnable after = () -> {};
        double loadLeft;
        double left;

        Job(double seconds, int router, double vramGb, String modelName, Consumer<WorkEnd> whenOver) {
            this.left = seconds;
            this.router = router;
            this.vramGb = vramGb;
            this.modelName = modelName;
            this.whenOver = whenOver;
        }

        /** Has something done when it ends, in whatever way. */
        void whenTold(Runnable what) {
            if (whenOver == null) {
                what.run();
            } else {
                after = what;
            }
        }

        /** Tells how it ended, the first time. */
        void over(WorkEnd end) {
            Consumer<WorkEnd> receiver = whenOver;
            if (receiver != null) {
                whenOver = null;
                after.run();
                time.execute(() -> receiver.accept(end));
            }
        }

        /** Takes it away, as a host that hangs up. */
        void stop() {
            if (whenOver != null) {
                whenOver = null;
                after.run();
                remove(this);
            }
        }
    }

    /** Starts a job, or says at once that it cannot. */
    Job start(double seconds, int router, String workload, Consumer<WorkEnd> whenOver) {
        measure(); // what ends at this moment has ended
        double vram = facts.vramGb(workload);
        Job job = new Job(seconds, router, vram, facts.modelOf(workload), whenOver);
        boolean full = running.size() + queued.size() + foreignJobs() >= slots();
        tally.placed(unavailable());
        if (disturbances.unreachable(router)) {
            tally.unreached();
            job.over(WorkEnd.of(WorkEnd.Kind.NOT_REACHED));
            return job;
        }
        boolean taken = occupied() + queued.size() >= slots();
        if (model.overload() == Overload.REFUSE && (taken || !fits(vram))) {
            tally.refusal();
            job.over(new WorkEnd(WorkEnd.Kind.REFUSED, model.retryAfter(), status()));
            return job;
        }
        tally.overload(full);
        if (model.overload() == Overload.QUEUE && taken) {
            queued.add(job);
        } else {
            begin(job);
        }
        settle();
        return job;
    }

    /** The host gives up on a job. */
    void giveUp(Job job) {
        if (job.whenOver != null) {
            tally.givenUp();
            job.over(WorkEnd.of(WorkEnd.Kind.GIVEN_UP));
            remove(job);
        }
    }

    private void remove(Job job) {
        progress();
        if (!running.remove(job) && !choking.remove(job)) {
            queued.remove(job);
        }
        settle();
    }

    /** Slots that are taken. */
    private int occupied() {
        return running.size() + choking.size() + foreignJobs();
    }

    /** A job that did not fit fails, unless it has gone meanwhile. */
    private void suffocate(Job job) {
        progress();
        if (choking.remove(job)) {
            boolean lost = disturbances.unreachable(job.router);
            tally.failed(lost);
            job.over(
                    lost
                            ? WorkEnd.of(WorkEnd.Kind.NODE_FAILED)
                            : new WorkEnd(WorkEnd.Kind.OUT_OF_MEMORY, model.retryAfter(), null));
            settle();
        }
    }

    private void begin(Job job) {
        if (!fits(job.vramGb)) {
            choking.add(job);
            tally.outOfMemory();
            time.at(
                    time.passed() + VirtualTime.capped(model.outOfMemoryAfter()),
                    "out of memory",
                    () -> suffocate(job));
            return;
        }
        job.loadLeft = resident.loadSeconds(job.modelName);
        tally.load(resident.use(job.modelName));
        running.add(job);
    }

    /** Brings the jobs to this moment. */
    private void progress() {
        double passed = Spans.seconds(time.passed() - since);
        tally.pass(this, passed);
        since = time.passed();
        double speed = jobSpeed();
        if (passed > 0 && speed > 0) {
            for (Job job : running) {
                double loading = Math.min(job.loadLeft, passed);
                job.loadLeft -= loading;
                job.left -= (passed - loading) * speed;
            }
        }
    }

    /** Ends what is done, starts what has waited inside the node, and puts the next end on the agenda. */
    private void settle() {
        boolean crashed = disturbances.crashed();
        for (Iterator<Job> jobs = running.iterator(); jobs.hasNext(); ) {
            Job job = jobs.next();
            boolean done = job.loadLeft <= 0 && job.left <= DONE;
            if (crashed || done) {
                jobs.remove();
                boolean lost = crashed || disturbances.unreachable(job.router);
                tally.failed(lost);
                job.over(WorkEnd.of(lost ? WorkEnd.Kind.NODE_FAILED : WorkEnd.Kind.DONE));
            }
        }
        if (crashed) {
            fail(queued);
            fail(choking);
            resident.clear();
        }
        while (!queued.isEmpty() && occupied() < slots()) {
            begin(queued.remove());
        }
        if (nextEnd != null) {
            nextEnd.run();
            nextEnd = null;
        }
        double speed = jobSpeed();
        double next = Double.POSITIVE_INFINITY;
        for (Job job : running) {
            next = Math.min(next, secondsLeft(job, speed));
        }
        if (next < Double.POSITIVE_INFINITY) {
            nextEnd = time.at(time.passed() + Math.max(1, Spans.nanos(next)), "end", this::ended)::cancel;
        }
    }

    /** How long a job runs on at a speed, as of the last change; infinite when nothing progresses. */
    private static double secondsLeft(Job job, double speed) {
        return speed > 0 ? job.loadLeft + Math.max(0, job.left) / speed : Double.POSITIVE_INFINITY;
    }

    private void fail(Collection<Job> jobs) {
        for (Job job : jobs) {
            tally.failed(true);
            job.over(WorkEnd.of(WorkEnd.Kind.NODE_FAILED));
        }
        jobs.clear();
    }

    private void ended() {
        nextEnd = null;
        measure();
    }

    /** Something about its surroundings changes. */
    void change(Consumer<Disturbances> change) {
        measure(); // what ends at this moment has ended
        change.accept(disturbances);
        settle();
    }

    /** Brings it to this moment. */
    void measure() {
        progress();
        settle();
    }

    /** How fast each running job progresses now. */
    private double jobSpeed() {
        int jobs = running.size() + foreignJobs();
        return jobs <= slots() ? disturbances.speed() : disturbances.speed() * slots() / jobs * model.sharedSpeed();
    }

    private boolean fits(double vram) {
        return vramUsedGb() + vram <= vramGb();
    }

    private double sum(ToDoubleFunction<Job> figure) {
        double sum = 0;
        for (Job job : running) {
            sum += figure.applyAsDouble(job);
        }
        return sum;
    }

    int busySlots() {
        return Math.min(running.size(), slots());
    }

    /**
     * What a status asked now says.
     *
     * @param noise added to the utilisation, percentage points
     */
    SubstrateStatus status(double noise) {
        SubstrateStatus.Builder status = SubstrateStatus.builder().gpuTempC(tempC());
        if (vramGb() < Double.POSITIVE_INFINITY) {
            status.vramTotalGb(vramGb());
        }
        if (resident.simulated()) {
            status.loadedModels(resident.models());
        }
        if (disturbances.lying()) {
            return status.gpuUtilPct(0)
                    .gpuUtilOtherPct(0)
                    .vramUsedGb(0)
                    .runningJobs(0)
                    .queuedJobs(0)
                    .build();
        }
        double all = foreignUtilPct() + facts.utilPerJobPct() * running.size();
        return status.gpuUtilPct(clamped(all + noise))
                .gpuUtilOtherPct(clamped(foreignUtilPct() + noise))
                .vramUsedGb(Math.min(vramUsedGb(), vramGb()))
                .runningJobs(occupied())
                .queuedJobs(queued.size())
                .build();
    }

    private static double clamped(double pct) {
        return Math.max(0, Math.min(100, pct));
    }

    /** Whether a router gets an answer. */
    boolean answers(int router) {
        return !disturbances.unreachable(router);
    }

    NodeFacts facts() {
        return facts;
    }

    NodeTally tally() {
        return tally;
    }

    @Override
    public String substrate() {
        return model.substrate();
    }

    @Override
    public NodeModel model() {
        return model;
    }

    @Override
    public int slots() {
        return facts.slots();
    }

    @Override
    public int jobs() {
        return running.size() + queued.size() + choking.size();
    }

    @Override
    public int foreignJobs() {
        return disturbances.jobs();
    }

    @Override
    public double vramGb() {
        return facts.vramGb();
    }

    @Override
    public double vramUsedGb() {
        return disturbances.vramGb() + sum(job -> job.vramGb);
    }

    @Override
    public double foreignUtilPct() {
        return Math.min(100, model.baseUtilPct() + disturbances.utilPct());
    }

    @Override
    public double tempC() {
        return Math.max(model.baseTempC(), disturbances.tempC());
    }

    @Override
    public double speed() {
        return disturbances.speed();
    }

    @Override
    public boolean unavailable() {
        return disturbances.unavailable();
    }

    @Override
    public boolean down() {
        return disturbances.cutOff();
    }

    @Override
    public boolean ownerAtWork() {
        return disturbances.owner();
    }

    @Override
    public double loadSeconds(String workload) {
        return resident.loadSeconds(facts.modelOf(workload));
    }

    @Override
    public double untilSlotSeconds() {
        if (occupied() + queued.size() < slots()) {
            return 0;
        }
        double passed = Spans.seconds(time.passed() - since);
        double speed = jobSpeed();
        double least = Double.POSITIVE_INFINITY;
        for (Job job : running) {
            least = Math.min(least, Math.max(0, secondsLeft(job, speed) - passed));
        }
        return least;
    }

    @Override
    public SubstrateStatus status() {
        return status(0);
    }
}
