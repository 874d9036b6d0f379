package dev.substraterouter.examples.whatif.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * One colour, dash and hatch for each name, the same in every chart. Charts are drawn with stand-in colours that nothing else has; in the
 * SVG text these become variables of the style sheet, so that a chart follows the page from light to dark.
 */
final class Palette {
    /** Axes, ticks and labels. */
    static final Color INK = new Color(1, 3, 1);
    /** Grid lines. */
    static final Color GRID = new Color(1, 3, 2);
    /** A node that was not to be had. */
    static final Color DOWN = new Color(1, 3, 3);
    /** An owner at work. */
    static final Color OWNER = new Color(1, 3, 4);
    /** Utilisation by others. */
    static final Color FOREIGN = new Color(1, 3, 5);

    /** How many colours and hatches there are. */
    static final int COLOURS = 8;

    private static final List<String> ROLES = List.of("ink", "grid", "fill-down", "fill-owner", "foreign");
    private static final Pattern STAND_IN = Pattern.compile("rgb\\(1, ?([234]), ?(\\d+)\\)");
    private static final float[][] DASHES = {{}, {9, 4}, {2, 3}, {10, 3, 2, 3}, {5, 2}};

    private final List<String> names = new ArrayList<>();

    /** The place of a name in the palette; a new name gets the next one. */
    int index(String name) {
        int at = names.indexOf(name);
        if (at < 0) {
            names.add(name);
            return names.size() - 1;
        }
        return at;
    }

    /** The colour of a line. */
    Color line(String name) {
        return new Color(1, 2, 10 + index(name) % COLOURS);
    }

    /** The hatched fill of an area. */
    Color fill(String name) {
        return new Color(1, 4, 10 + index(name) % COLOURS);
    }

    /** The dash of a line; with its colour it is the only one up to forty names. */
    BasicStroke stroke(String name) {
        float[] dash = dash(name);
        return dash.length == 0
                ? new BasicStroke(2f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND)
                : new BasicStroke(2f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, dash, 0);
    }

    /** The dash of a line as SVG says it; empty: a whole line. */
    String dashArray(String name) {
        List<String> lengths = new ArrayList<>();
        for (float length : dash(name)) {
            lengths.add(Integer.toString(Math.round(length)));
        }
        return String.join(" ", lengths);
    }

    private float[] dash(String name) {
        return DASHES[index(name) % DASHES.length];
    }

    /** An SVG text with variables in place of the stand-ins. */
    static String withVariables(String svg) {
        return STAND_IN.matcher(svg).replaceAll(Palette::variable);
    }

    private static String variable(MatchResult standIn) {
        int number = Integer.parseInt(standIn.group(2));
        return switch (standIn.group(1)) {
            case "2" -> "var(--c" + (number - 10) + ")";
            case "3" -> role(ROLES.get(number - 1));
            default -> "url(#fill-" + (number - 10) + ")";
        };
    }

    private static String role(String role) {
        return role.startsWith("fill-") ? "url(#" + role + ")" : "var(--" + role + ")";
    }
}
