package dev.substraterouter.examples.gateway.tools;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.substraterouter.batch.BatchReport;
import dev.substraterouter.batch.BatchState;
import dev.substraterouter.batch.BatchTicket;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Work that was taken for later, as it stands now.
 *
 * @param id the job's id
 * @param state where it stands: queued, running, succeeded, dead or cancelled
 * @param poll the path on the clients' listener where to ask again
 * @param result the path where its result is; null: there is none (yet)
 * @param substrate where it runs or ran last; null: nowhere yet
 * @param model what runs or ran last; null: nothing yet, or nobody says
 * @param attempts how often it was begun
 * @param reasons why it was not done so far
 * @param queuedAt when it was taken
 * @param startedAt when it was begun last; null: not yet
 * @param endedAt when it ended; null: not yet
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Ticket(
        String id,
        String state,
        String poll,
        @Nullable String result,
        @Nullable String substrate,
        @Nullable String model,
        int attempts,
        List<String> reasons,
        @Nullable Instant queuedAt,
        @Nullable Instant startedAt,
        @Nullable Instant endedAt)
        implements Outcome {
    /** The path under which tickets are asked for. */
    public static final String PATH = "/v1/tickets/";

    /** Copies the list. */
    public Ticket {
        reasons = List.copyOf(reasons);
    }

    /** How a job stands. */
    static Ticket of(BatchTicket job) {
        return job.report().map(Ticket::of).orElseGet(() -> forgotten(job.id()));
    }

    static Ticket of(BatchReport report) {
        String id = report.job().id();
        boolean done = report.state() == BatchState.SUCCEEDED;
        return new Ticket(
                id,
                Served.small(report.state()),
                PATH + id,
                done ? PATH + id + "/result" : null,
                report.substrate().orElse(null),
                report.model().orElse(null),
                report.job().attempts(),
                report.reasons(),
                report.queuedAt(),
                report.startedAt().orElse(null),
                report.endedAt().orElse(null));
    }

    private static Ticket forgotten(String id) {
        String state = Served.small(BatchState.FORGOTTEN);
        return new Ticket(id, state, PATH + id, null, null, null, 0, List.of(), null, null, null);
    }
}
