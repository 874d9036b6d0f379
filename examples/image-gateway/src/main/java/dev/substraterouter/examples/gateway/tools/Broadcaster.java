package dev.substraterouter.examples.gateway.tools;

import dev.substraterouter.Placement;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.examples.gateway.access.Caller;
import dev.substraterouter.model.RouteRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Sends a message to every node that may take it, side by side. Thread-safe; blocks until all have answered or failed. */
final class Broadcaster implements AutoCloseable {
    private static final int THREADS = 16;

    private final SubstrateRouter router;
    private final Exchange exchange;
    private final AtomicInteger started = new AtomicInteger();
    /** Its queue needs no bound of its own: what stands in it holds a lease. */
    private final ThreadPoolExecutor threads =
            new ThreadPoolExecutor(THREADS, THREADS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                Thread thread = new Thread(task, "gateway-broadcast-" + started.incrementAndGet());
                thread.setDaemon(true);
                return thread;
            });

    Broadcaster(SubstrateRouter router, Exchange exchange) {
        this.router = router;
        this.exchange = exchange;
        threads.allowCoreThreadTimeOut(true);
    }

    /**
     * Sends it.
     *
     * @throws WorkerFailedException when everything is busy
     * @throws InterruptedException when the thread is interrupted; the calls are cancelled
     */
    Deliveries send(Caller caller, RouteRequest request, Message message)
            throws WorkerFailedException, InterruptedException {
        RouteRequest asked = caller.asking(request);
        List<Placement> placements = router.placeAll(asked);
        if (placements.isEmpty()) {
            throw WorkerFailedException.busy(router.recommend(asked).explain());
        }
        int inline = Exchange.WITHIN / placements.size();
        try {
            return answers(threads.invokeAll(placements.stream()
                    .map(placement -> one(caller, placement, message, inline))
                    .toList()));
        } finally {
            placements.forEach(Placement::close); // also those whose turn has not come
        }
    }

    private static Deliveries answers(List<Future<Delivery>> all) throws InterruptedException {
        List<Delivery> answers = new ArrayList<>();
        for (Future<Delivery> each : all) {
            answers.add(answer(each));
        }
        answers.sort(Comparator.comparing(answer -> String.valueOf(answer.substrate())));
        return new Deliveries(answers);
    }

    private static Delivery answer(Future<Delivery> done) throws InterruptedException {
        try {
            return done.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof InterruptedException) {
                throw new InterruptedException("the broadcast was cut short");
            }
            throw new IllegalStateException("a broadcast failed on this side", e.getCause());
        }
    }

    private Callable<Delivery> one(Caller caller, Placement placement, Message message, int inline) {
        return () -> {
            try (placement) {
                Reply reply = exchange.send(caller, placement, message, inline);
                placement.succeed();
                return Delivery.of(reply);
            } catch (WorkerFailedException e) {
                return Delivery.failed(Served.by(placement), e.problem());
            } catch (Exception e) {
                placement.fail(e);
                return failed(Served.by(placement), e);
            }
        };
    }

    /** What the worker did wrong is an answer; what went wrong here, or was cut short, is not. */
    private static Delivery failed(Served by, Exception e) throws Exception {
        if (e instanceof InterruptedException
                || (e instanceof RuntimeException && !(e instanceof LinksFullException))) {
            throw e;
        }
        return Delivery.failed(by, WorkerFailedException.of(e, by).problem());
    }

    /** Cancels what is under way. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
