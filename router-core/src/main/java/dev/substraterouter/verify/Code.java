package dev.substraterouter.verify;

import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.status.SubstrateStatus;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/** Java for the tests of findings. */
final class Code {
    private Code() {}

    /** A text as a literal. */
    static String text(String value) {
        StringBuilder literal = new StringBuilder("\"");
        for (int at = 0; at < value.length(); at++) {
            char c = value.charAt(at);
            switch (c) {
                case '"', '\\' -> literal.append('\\').append(c);
                case '\n' -> literal.append("\\n");
                case '\r' -> literal.append("\\r");
                case '\t' -> literal.append("\\t");
                default -> literal.append(plain(c) ? String.valueOf(c) : escaped(c));
            }
        }
        return literal.append('"').toString();
    }

    private static boolean plain(char c) {
        return c >= ' ' && c <= '~';
    }

    /** Java reads Unicode escapes before it looks for literals, so that one of a control character could end the line or the literal. */
    private static String escaped(char c) {
        return String.format(Locale.ROOT, Character.isISOControl(c) ? "\\%03o" : "\\u%04x", (int) c);
    }

    /** A statement that reports a status. */
    static String report(String substrateId, SubstrateStatus status) {
        return "router.reportStatus(" + text(substrateId) + ", " + status(status) + ");";
    }

    private static String status(SubstrateStatus status) {
        StringBuilder code = new StringBuilder("SubstrateStatus.builder()");
        number(code, "gpuUtilPct", status.gpuUtilPct());
        number(code, "vramUsedGb", status.vramUsedGb());
        number(code, "vramTotalGb", status.vramTotalGb());
        number(code, "gpuTempC", status.gpuTempC());
        count(code, "runningJobs", status.runningJobs());
        count(code, "queuedJobs", status.queuedJobs());
        for (Map.Entry<String, String> one : status.attributes().entrySet()) {
            code.append(".attribute(")
                    .append(text(one.getKey()))
                    .append(", ")
                    .append(text(one.getValue()))
                    .append(')');
        }
        return code.append(".build()").toString();
    }

    private static void number(StringBuilder code, String name, OptionalDouble value) {
        value.ifPresent(number ->
                code.append('.').append(name).append('(').append(number).append(')'));
    }

    private static void count(StringBuilder code, String name, OptionalInt value) {
        value.ifPresent(number ->
                code.append('.').append(name).append('(').append(number).append(')'));
    }

    /** An expression that is a request for a workload. */
    static String request(RouteRequest request) {
        StringBuilder code = new StringBuilder("RouteRequest.workload(")
                .append(text(request.workload()))
                .append(')');
        request.identity()
                .ifPresent(who -> code.append(".identity(").append(text(who)).append(')'));
        request.priority()
                .ifPresent(one -> code.append(".priority(Priority.").append(one).append(')'));
        code.append(".mode(PlacementMode.").append(request.mode()).append(')');
        request.prefer()
                .ifPresent(id -> code.append(".prefer(").append(text(id)).append(')'));
        if (!request.avoid().isEmpty()) {
            code.append(".avoid(")
                    .append(request.avoid().stream().map(Code::text).collect(Collectors.joining(", ")))
                    .append(')');
        }
        return code.toString();
    }
}
