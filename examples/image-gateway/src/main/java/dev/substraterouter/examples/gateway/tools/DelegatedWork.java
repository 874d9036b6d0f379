package dev.substraterouter.examples.gateway.tools;

import dev.substraterouter.Placement;
import dev.substraterouter.batch.BatchJob;
import dev.substraterouter.batch.BatchWork;
import dev.substraterouter.examples.gateway.worker.WorkerAnswer;
import dev.substraterouter.examples.gateway.worker.WorkerClient;
import dev.substraterouter.examples.gateway.worker.WorkerRequest;
import java.nio.charset.StandardCharsets;

/** Does the work that {@link Tools#delegate} has taken for later. Thread-safe; blocks until the answer has ended. */
public final class DelegatedWork implements BatchWork {
    /** How large a result may be: it is kept in the batch queue until it is forgotten. */
    public static final int MOST = 4 << 20;

    private static final int BAD_REQUEST = 400;
    private static final int SHOWN = 300;

    private final WorkerClient worker;
    private final Patience patience;

    /**
     * Work that is sent to workers.
     *
     * @param worker sends it
     * @param patience how long one run may take
     */
    public DelegatedWork(WorkerClient worker, Patience patience) {
        this.worker = worker;
        this.patience = patience;
    }

    @Override
    public byte[] run(Placement placement, BatchJob job) throws Exception {
        WorkerRequest request = Parcel.read(job.payload()).request();
        return patience.within(() -> answer(placement, request));
    }

    private byte[] answer(Placement placement, WorkerRequest request) throws Exception {
        try (WorkerAnswer answer = worker.send(placement, request)) {
            byte[] body = answer.bytes(MOST);
            if (answer.status() >= BAD_REQUEST) {
                throw new IllegalArgumentException(
                        placement.substrateId() + " answered " + answer.status() + ": " + beginning(body));
            }
            return Parcel.write(new Message("", answer.contentType(), body));
        }
    }

    private static String beginning(byte[] body) {
        String text = new String(body, 0, Math.min(body.length, SHOWN), StandardCharsets.UTF_8);
        return body.length <= SHOWN ? text : text + "...";
    }
}
