package dev.substraterouter.batch;

/** What a failure says of itself: bounded, and whatever its own code does. */
final class Words {
    private static final int MOST = 500;

    private Words() {}

    @SuppressWarnings({"CatchingUnchecked", "ConstantValue"}) // foreign code, which may do anything
    static String of(Throwable t) {
        String words;
        try {
            words = t.toString();
            if (words == null) {
                words = t.getClass().getName();
            }
        } catch (Throwable broken) {
            words = t.getClass().getName();
        }
        return words.length() > MOST ? words.substring(0, MOST) : words;
    }
}
