package dev.substraterouter.examples.whatif.report;

/** Text of a page: elements are written as they are, everything else is escaped. Not thread-safe. */
final class Html {
    private final StringBuilder text = new StringBuilder();

    /** Markup as it is. */
    Html raw(String markup) {
        text.append(markup);
        return this;
    }

    /** An element that holds text. */
    Html element(String name, String content) {
        return raw("<" + name + ">").raw(escape(content)).raw("</" + name.split(" ", 2)[0] + ">\n");
    }

    /** A list of texts. */
    Html list(Iterable<String> items) {
        raw("<ul>\n");
        items.forEach(item -> element("li", item));
        return raw("</ul>\n");
    }

    @Override
    public String toString() {
        return text.toString();
    }

    static String escape(String content) {
        StringBuilder escaped = new StringBuilder(content.length());
        content.codePoints().forEach(point -> {
            switch (point) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#39;");
                default -> escaped.appendCodePoint(allowed(point) ? point : 0xFFFD);
            }
        });
        return escaped.toString();
    }

    /** Control characters are no text in XML. */
    private static boolean allowed(int point) {
        boolean blank = point == '\n' || point == '\t';
        boolean half = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
        return blank || !(Character.isISOControl(point) || half || point == 0xFFFE || point == 0xFFFF);
    }
}
