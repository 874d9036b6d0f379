package dev.substraterouter.examples.benchmarks.goals;

/** What the figures say of a goal. */
enum Verdict {
    MET("met"),
    NOT_MET("NOT MET"),
    NOT_MEASURED("not measured"),
    SHOWN("");

    private final String words;

    Verdict(String words) {
        this.words = words;
    }

    @Override
    public String toString() {
        return words;
    }
}
