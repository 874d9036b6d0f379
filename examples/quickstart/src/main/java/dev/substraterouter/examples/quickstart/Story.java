package dev.substraterouter.examples.quickstart;

import dev.substraterouter.RoutingException;
import dev.substraterouter.model.RouteRequest;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Tells what happens, a line for each request, and whether it is what was expected. Told by one thread. */
final class Story implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(12);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(2);

    private final PrintStream out;
    private final long began = System.nanoTime();
    private final List<Answer> answers = new ArrayList<>();
    private final ExecutorService callers = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "caller");
        thread.setDaemon(true);
        return thread;
    });
    private int held;

    Story(PrintStream out) {
        this.out = out;
    }

    /** An expectation did not hold: the story ends there, for what follows would be about something else. */
    static final class Broken extends Exception {
        private static final long serialVersionUID = 1L;

        Broken(String message) {
            super(message);
        }
    }

    void act(String title) {
        out.printf("%n%s%n", title);
    }

    void step(String title) {
        out.printf("%n  %s%n", title);
    }

    void tell(String text) {
        out.printf("    %s%n", text);
    }

    /** Asks for work on a thread of its own. */
    Future<Answer> begin(Client client, RouteRequest request) {
        return begin(client, request, request.workload());
    }

    /** As {@link #begin(Client, RouteRequest)}, for a job that the worker knows by a name of its own. */
    Future<Answer> begin(Client client, RouteRequest request, String job) {
        return callers.submit(() -> {
            long asked = System.nanoTime();
            try {
                Client.Image image = client.generate(request, job, "a lighthouse");
                return new Answer(image.trace(), Optional.empty(), since(asked));
            } catch (RoutingException refused) {
                return new Answer(refused.trace(), Optional.of(refused), since(asked));
            }
        });
    }

    /** What became of it, told. */
    Answer end(Future<Answer> asked) throws Broken, InterruptedException {
        try {
            Answer answer = asked.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            answers.add(answer);
            tell(answer.toString());
            return answer;
        } catch (ExecutionException failed) {
            throw new Broken("a request failed: " + failed.getCause());
        } catch (TimeoutException late) {
            throw new Broken("a request got no answer within " + PATIENCE.toSeconds() + " s");
        }
    }

    /** Asks for work and waits for it. */
    Answer send(Client client, RouteRequest request) throws Broken, InterruptedException {
        return end(begin(client, request));
    }

    /** States what is expected. */
    void expect(String what, boolean holds) throws Broken {
        tell((holds ? "[held]   " : "[broken] ") + what);
        if (!holds) {
            throw new Broken("expected: " + what);
        }
        held++;
    }

    /** Waits until something is so. */
    void until(String what, BooleanSupplier condition) throws Broken {
        long asked = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (since(asked).compareTo(PATIENCE) > 0) {
                throw new Broken("not so within " + PATIENCE.toSeconds() + " s: " + what);
            }
            LockSupport.parkNanos(LOOK_AGAIN.toNanos());
        }
    }

    /** What comes of something that is under way. */
    <T> T await(String what, Future<T> future) throws Broken, InterruptedException {
        try {
            return future.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException failed) {
            throw new Broken(what + " failed: " + failed.getCause());
        } catch (TimeoutException late) {
            throw new Broken("not so within " + PATIENCE.toSeconds() + " s: " + what);
        }
    }

    /** What became of all requests. */
    void summary() {
        Map<String, Integer> served = new TreeMap<>();
        answers.forEach(answer -> answer.servedBy().ifPresent(id -> served.merge(id, 1, Integer::sum)));
        out.printf(
                "%n%d requests: served %s, %d of them degraded, %d after a wait, %d after a failover; %d refused%n",
                answers.size(),
                served,
                answers.stream().filter(answer -> !answer.degraded().isEmpty()).count(),
                answers.stream()
                        .filter(answer -> answer.servedBy().isPresent() && answer.waited())
                        .count(),
                answers.stream().filter(Answer::failedOver).count(),
                answers.stream().filter(answer -> answer.refusal().isPresent()).count());
        out.printf("%d expectations held, in %.1f s%n", held, since(began).toMillis() / 1e3);
    }

    void broken(String message) {
        out.printf("%nBROKEN after %d expectations that held: %s%n", held, message);
    }

    @Override
    public void close() {
        callers.shutdownNow();
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }
}
