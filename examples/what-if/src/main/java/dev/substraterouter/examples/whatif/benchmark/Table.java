package dev.substraterouter.examples.whatif.benchmark;

import java.util.ArrayList;
import java.util.List;

/** A table in Markdown. Not thread-safe. */
final class Table {
    private final List<String> lines = new ArrayList<>();

    Table(String... heads) {
        row(List.of(heads));
        lines.add("|" + " --- |".repeat(heads.length));
    }

    Table row(List<String> fields) {
        lines.add("| " + String.join(" | ", fields) + " |");
        return this;
    }

    @Override
    public String toString() {
        return String.join("\n", lines) + "\n";
    }
}
