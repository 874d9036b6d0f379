package dev.substraterouter.examples.whatif.report;

/** The fills of areas: each colour with lines or dots of its own, so that areas differ without their colours too. */
final class Hatches {
    private static final String[] MARKS = {
        "", "M0 8L8 0", "M0 4H8", "M0 0L8 8", "M4 0V8", "M2 2h2v2h-2z", "M0 4H8M4 0V8", "M0 8L8 0M0 0L8 8"
    };

    private Hatches() {}

    /** An invisible drawing that holds them; the charts of the page refer to it. */
    static String definitions() {
        StringBuilder text = new StringBuilder(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"defs\" aria-hidden=\"true\"><defs>\n");
        for (int at = 0; at < MARKS.length; at++) {
            text.append(pattern("fill-" + at, "c" + at, MARKS[at], "surface", 1));
        }
        text.append(pattern("fill-down", "down", "M0 8L8 0", "ink", 0.5));
        text.append(pattern("fill-owner", "owner", "", "ink", 0.5));
        return text.append("</defs></svg>\n").toString();
    }

    private static String pattern(String id, String colour, String mark, String over, double width) {
        return "<pattern id=\"" + id + "\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\">"
                + "<rect width=\"8\" height=\"8\" style=\"fill:var(--" + colour + ");stroke:none\"/>"
                + (mark.isEmpty()
                        ? ""
                        : "<path d=\"" + mark + "\" style=\"fill:none;stroke:var(--" + over + ");stroke-width:" + width
                                + "\"/>")
                + "</pattern>\n";
    }
}
