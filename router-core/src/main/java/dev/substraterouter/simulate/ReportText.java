package dev.substraterouter.simulate;

import java.util.Locale;

/** A report as text: every figure to its last digit, so that two reports are equal when their texts are. */
final class ReportText {
    private final StringBuilder text = new StringBuilder();

    private ReportText() {}

    static String of(SimulationReport report) {
        ReportText text = new ReportText();
        text.write(report);
        return text.text.toString();
    }

    private void write(SimulationReport report) {
        line(
                "%s, run %d, %s: %d offered, %d served, %d lost, mean %.3f s, penalised %.3f s",
                report.scenario(),
                report.seed(),
                report.contender(),
                report.offered(),
                report.served(),
                report.lost(),
                report.latency().mean(),
                report.penalisedSeconds());
        line(
                "arrivals for %s s, last answer at %s s, %d events, %d switches",
                report.lengthSeconds(), report.endSeconds(), report.events(), report.switches());
        for (SimulationReport.Requests one : report.requests()) {
            line(
                    "%s/%s: offered %d, served %d %s, refused %s, failed %s, abandoned %d, in time %d of %s s",
                    one.workload(),
                    one.requestClass(),
                    one.offered(),
                    one.served(),
                    one.servedBy(),
                    one.refused(),
                    one.failed(),
                    one.abandoned(),
                    one.inTime(),
                    one.deadlineSeconds());
            line("  latency %s", figures(one.latency()));
            line("  waiting %s", figures(one.waiting()));
        }
        report.nodes().forEach(node -> line("%s", node));
        line("%s", report.timeline());
    }

    private static String figures(Distribution one) {
        return "sum " + one.sum() + ", max " + one.max() + ", median " + one.quantile(0.5) + ", p95 "
                + one.quantile(0.95) + ", p99 " + one.quantile(0.99);
    }

    private void line(String format, Object... figures) {
        text.append(String.format(Locale.ROOT, format, figures)).append('\n');
    }
}
