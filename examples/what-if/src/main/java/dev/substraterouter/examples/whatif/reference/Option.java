package dev.substraterouter.examples.whatif.reference;

/**
 * What comes of placing a request on a substrate.
 *
 * @param way the candidate
 * @param serviceSeconds how long it is expected to take there
 * @param endSeconds when it is expected to be done, wait included
 * @param costSeconds what is added to that when options are compared
 * @param free whether it can start there now
 */
record Option(Way way, double serviceSeconds, double endSeconds, double costSeconds, boolean free) {
    Station station() {
        return way.station();
    }

    double score() {
        return endSeconds + costSeconds;
    }
}
