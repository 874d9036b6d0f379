package dev.substraterouter.examples.gateway.control;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** A client of the events by a bare socket: it reads exactly when it is told to. */
final class SseClient implements AutoCloseable {
    private final Socket socket = new Socket();
    private final BufferedReader in;
    final int status;
    final Map<String, String> headers = new HashMap<>();

    /** Asks for the events after an id; an empty one: for what comes. By HTTP 1.0, so that the body comes as it is. */
    SseClient(Desk desk, String lastSeen, int receiveBuffer) {
        try {
            socket.setReceiveBufferSize(receiveBuffer);
            socket.setSoTimeout(20_000);
            socket.connect(
                    new InetSocketAddress("127.0.0.1", desk.listener.address().getPort()));
            String request = "GET /admin/events HTTP/1.0\r\nHost: localhost\r\nAuthorization: Bearer " + Desk.VIEWER
                    + (lastSeen.isEmpty() ? "" : "\r\nLast-Event-ID: " + lastSeen) + "\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            status = Integer.parseInt(in.readLine().split(" ")[1]);
            for (String line = in.readLine(); !line.isEmpty(); line = in.readLine()) {
                headers.put(line.split(": ", 2)[0], line.split(": ", 2)[1]);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    SseClient(Desk desk, String lastSeen) {
        this(desk, lastSeen, 64 * 1024);
    }

    /** The next line that is no event; null at the end. */
    String comment() {
        try {
            String line = in.readLine();
            while (line != null && !line.startsWith(":")) {
                line = in.readLine();
            }
            return line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The next event. */
    Heard next() {
        try {
            Map<String, String> fields = new HashMap<>();
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.isEmpty() && fields.containsKey("data")) {
                    JsonNode data = Desk.JSON.readTree(fields.get("data"));
                    return new Heard(fields.getOrDefault("id", ""), fields.get("event"), data.get("fact"));
                }
                if (line.contains(": ") && !line.startsWith(":")) {
                    fields.put(line.split(": ", 2)[0], line.split(": ", 2)[1]);
                }
            }
            throw new AssertionError("the stream ended");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The next events. */
    List<Heard> next(int count) {
        List<Heard> heard = new ArrayList<>();
        for (int one = 0; one < count; one++) {
            heard.add(next());
        }
        return heard;
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    record Heard(String id, String type, JsonNode fact) {}
}
