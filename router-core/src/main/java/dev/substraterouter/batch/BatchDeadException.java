package dev.substraterouter.batch;

import java.util.List;

/** A job was given up: it is a dead letter. Carries no stack trace. */
public final class BatchDeadException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String id;
    private final String[] reasons;

    BatchDeadException(String id, List<String> reasons) {
        super("batch job " + id + " was given up: " + String.join("; ", reasons), null, true, false);
        this.id = id;
        this.reasons = reasons.toArray(String[]::new);
    }

    /** The job's id. */
    public String id() {
        return id;
    }

    /** Why it was not done, attempt by attempt, as its report has it. */
    public List<String> reasons() {
        return List.of(reasons);
    }
}
