package dev.substraterouter.examples.gateway.tools;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A worker's answer. Immutable, and its bytes are not to be changed.
 *
 * @param status the worker's HTTP status, below 500
 * @param contentType what it says the body is
 * @param body the body; empty when there is a link
 * @param link where the body can be fetched; null: it is here
 * @param served who answered
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; copying each answer twice would cost more than it tells
public record Reply(
        int status,
        String contentType,
        byte[] body,
        @Nullable Link link,
        Served served) implements Outcome {
    private static final Pattern CHARSET =
            Pattern.compile(";\\s*charset\\s*=\\s*\"?([^\\s;\"]+)", Pattern.CASE_INSENSITIVE);
    private static final int BAD_REQUEST = 400;

    /** Whether the worker turned the request down as a bad one. */
    public boolean isRefusal() {
        return status >= BAD_REQUEST;
    }

    /** Whether the body is JSON, as far as its type tells. */
    public boolean isJson() {
        String type = mediaType();
        return type.equals("application/json") || type.endsWith("+json");
    }

    /** Whether the body is text, JSON included, in a charset that is known here. */
    public boolean isText() {
        return (isJson() || mediaType().startsWith("text/")) && charset().isPresent();
    }

    /** Whether the body is a picture. */
    public boolean isImage() {
        return mediaType().startsWith("image/");
    }

    /** The content type without its parameters, in small letters. */
    public String mediaType() {
        int parameters = contentType.indexOf(';');
        String type = parameters < 0 ? contentType : contentType.substring(0, parameters);
        return type.strip().toLowerCase(Locale.ROOT);
    }

    /** The body as text, in the charset that its type names; UTF-8 if it names none, or one that is not known. */
    public String text() {
        return new String(body, charset().orElse(StandardCharsets.UTF_8));
    }

    private Optional<Charset> charset() {
        Matcher named = CHARSET.matcher(contentType);
        if (!named.find()) {
            return Optional.of(StandardCharsets.UTF_8);
        }
        try {
            return Optional.of(Charset.forName(named.group(1)));
        } catch (IllegalArgumentException unknown) {
            return Optional.empty(); // its text cannot be read here
        }
    }
}
