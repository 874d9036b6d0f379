package dev.substraterouter.probe.http;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;

/**
 * What a server answered to one question. Its text is never in {@link #toString()}.
 *
 * @param code the HTTP code
 * @param path the path that was asked, without its query
 * @param contentType the header {@code Content-Type}; empty when there is none
 * @param body the whole body of an answer with the code 200; what fits of one with the code 503, and of any other the
 *     first 16 KiB; not copied
 */
@SuppressWarnings("ArrayRecordComponent") // read once, right after it was received
public record StatusAnswer(int code, String path, String contentType, byte[] body) {
    private static final int OK = 200;

    /** Checks that nothing is null. */
    public StatusAnswer {
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(contentType, "contentType");
        Objects.requireNonNull(body, "body");
    }

    /**
     * This answer, if its code is 200 and its body can be that of a status surface.
     *
     * @throws NoStatusException for any other code, and for a page of HTML: it is not the server that answers then
     */
    public StatusAnswer ok() throws NoStatusException {
        if (isHtml()) {
            throw new NoStatusException(
                    code == OK
                            ? "not a status: HTML or XML (expected: the server's own answer, not a page)"
                            : "status " + code);
        }
        if (code != OK) {
            throw new NoStatusException(
                    switch (code) {
                        case 401, 403 -> "status " + code + ": the key is missing or not accepted";
                        case 404 -> "status 404: not served at this path";
                        default -> "status " + code;
                    });
        }
        return this;
    }

    /** The body as text, UTF-8. */
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /** True if the body is empty or white space. */
    public boolean isEmpty() {
        return Json.firstByte(body) < 0;
    }

    /** True if it is a page for people, by its type or its beginning. */
    boolean isHtml() {
        return contentType.toLowerCase(Locale.ROOT).contains("html") || Json.firstByte(body) == '<';
    }

    @Override
    public String toString() {
        return "StatusAnswer[code " + code + ", path " + path + ", " + body.length + " bytes]";
    }
}
