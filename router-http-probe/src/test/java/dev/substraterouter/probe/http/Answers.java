package dev.substraterouter.probe.http;

import dev.substraterouter.status.SubstrateStatus;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Answers of servers as a test writes them. */
final class Answers {
    static final StatusFormats FORMATS = new StatusFormats(List.of());

    private Answers() {}

    static StatusFormat format(String name) {
        return FORMATS.named(name).orElseThrow();
    }

    static List<StatusFormat> all() {
        return List.of(FORMATS.names().split(", ")).stream()
                .map(Answers::format)
                .toList();
    }

    static StatusAnswer answer(int code, String path, String body) {
        return new StatusAnswer(code, path, "", body.getBytes(StandardCharsets.UTF_8));
    }

    /** What a format says of an answer with the code 200 at its first path. */
    static SubstrateStatus ok(String format, String body) throws NoStatusException {
        List<String> paths = format(format).paths();
        return read(format, 200, paths.isEmpty() ? "/" : paths.get(0), body);
    }

    static SubstrateStatus read(String format, int code, String path, String body) throws NoStatusException {
        return format(format).read(answer(code, path, body));
    }
}
