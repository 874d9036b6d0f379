package dev.substraterouter.internal.yaml;

import dev.substraterouter.internal.yaml.Node.Place;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/** Turns the bytes of a file into a text that is worth parsing: not too long, UTF-8, without control characters. */
public final class SourceText {
    /** The longest file, in bytes of UTF-8: 1 MiB. */
    public static final int MAX_BYTES = 1 << 20;

    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private SourceText() {}

    /** The text of a file. */
    public static String of(byte[] bytes) {
        if (bytes.length > MAX_BYTES) {
            throw tooLong();
        }
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder(); // reports what it cannot decode
        CharBuffer text = CharBuffer.allocate(bytes.length);
        CoderResult result = decoder.decode(ByteBuffer.wrap(bytes), text, true);
        text.flip();
        if (result.isError()) {
            Position position = new Position();
            text.codePoints().forEach(position::pass);
            throw Problems.fatal(
                    "bad-encoding", position.place(), "a byte that is no UTF-8 (expected: a text in UTF-8)");
        }
        return of(text.toString());
    }

    /** The text without a byte order mark. */
    public static String of(String text) {
        String unmarked = text.isEmpty() || text.charAt(0) != BYTE_ORDER_MARK ? text : text.substring(1);
        Position position = new Position();
        unmarked.codePoints().forEach(position::check);
        return unmarked;
    }

    private static RuntimeException tooLong() {
        return Problems.fatal("too-large", Place.START, "more than " + MAX_BYTES + " bytes (expected: at most 1 MiB)");
    }

    /** A place that moves through a text; counts as the parser does. */
    private static final class Position {
        private int line = 1;
        private int column = 1;
        private int bytes;
        private int last;

        Place place() {
            return new Place(line, column);
        }

        void check(int point) {
            pass(point);
            if (!StreamReader.isPrintable(point)) {
                Place at = new Place(line, column - 1);
                throw Problems.fatal(
                        "control-character",
                        at,
                        String.format("the character U+%04X (expected: printable text)", point));
            }
            bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
            if (bytes > MAX_BYTES) {
                throw tooLong();
            }
        }

        void pass(int point) {
            if (point == '\n' && last == '\r') {
                last = point;
                return;
            }
            last = point;
            if (point == '\n' || point == '\r') {
                line++;
                column = 1;
            } else if (point != BYTE_ORDER_MARK) {
                column++;
            }
        }
    }
}
