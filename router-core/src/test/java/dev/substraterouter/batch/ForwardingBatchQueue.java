package dev.substraterouter.batch;

import dev.substraterouter.trace.RoutingTrace;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A store with something between it and its dispatchers. */
abstract class ForwardingBatchQueue implements BatchQueue {
    private final BatchQueue store;

    ForwardingBatchQueue(BatchQueue store) {
        this.store = store;
    }

    protected void before() {}

    protected void after() {}

    private <T> T step(Supplier<T> step) {
        before();
        T answer = step.get();
        after();
        return answer;
    }

    @Override
    public BatchJob offer(BatchJob job) {
        return step(() -> store.offer(job));
    }

    @Override
    public Optional<BatchJob> known(Optional<String> identity, String idempotencyKey) {
        return step(() -> store.known(identity, idempotencyKey));
    }

    @Override
    public Optional<BatchClaim> claim(String owner, Duration leaseFor, long after) {
        return step(() -> store.claim(owner, leaseFor, after));
    }

    @Override
    public boolean start(BatchClaim claim, RoutingTrace trace) {
        return step(() -> store.start(claim, trace));
    }

    @Override
    public boolean renew(BatchClaim claim, Duration leaseFor) {
        return step(() -> store.renew(claim, leaseFor));
    }

    @Override
    public boolean complete(BatchClaim claim, byte[] result, RoutingTrace trace) {
        return step(() -> store.complete(claim, result, trace));
    }

    @Override
    public boolean release(BatchClaim claim) {
        return step(() -> store.release(claim));
    }

    @Override
    public boolean retry(BatchClaim claim, Duration delay, BatchNote note) {
        return step(() -> store.retry(claim, delay, note));
    }

    @Override
    public boolean bury(BatchClaim claim, BatchNote note) {
        return step(() -> store.bury(claim, note));
    }

    @Override
    public boolean cancel(String id) {
        return step(() -> store.cancel(id));
    }

    @Override
    public Optional<BatchReport> find(String id) {
        return step(() -> store.find(id));
    }

    @Override
    public Optional<byte[]> result(String id) {
        return step(() -> store.result(id));
    }

    @Override
    public List<BatchReport> deadLetters(String after, int most) {
        return step(() -> store.deadLetters(after, most));
    }

    @Override
    public boolean forget(String id) {
        return step(() -> store.forget(id));
    }
}
