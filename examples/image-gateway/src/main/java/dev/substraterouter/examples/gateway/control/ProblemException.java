package dev.substraterouter.examples.gateway.control;

import dev.substraterouter.examples.gateway.web.Problem;

/** A request is not done, and why: thrown by handlers, written by the servlet. */
final class ProblemException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Problem problem;

    ProblemException(Problem problem) {
        super(problem.detail(), null, false, false);
        this.problem = problem;
    }

    /** A problem in words. */
    ProblemException(int status, String title, String detail) {
        this(Problem.of(status, title, detail));
    }

    Problem problem() {
        return problem;
    }
}
