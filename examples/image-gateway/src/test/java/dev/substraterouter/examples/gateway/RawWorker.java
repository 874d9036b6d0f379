package dev.substraterouter.examples.gateway;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/** A worker that answers on the bare socket, so that it can do what no well-behaved one does. One thread for each connection; each takes one request. */
public final class RawWorker implements AutoCloseable {
    private final ServerSocket server;
    private final Behaviour behaviour;
    private final Queue<String> heads = new ConcurrentLinkedQueue<>();
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();

    /** What it does with a request whose head has been read. */
    public interface Behaviour {
        void serve(String head, InputStream in, OutputStream out) throws IOException, InterruptedException;
    }

    public RawWorker(Behaviour behaviour) throws IOException {
        this.behaviour = behaviour;
        server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        Thread accepting = new Thread(this::accept, "raw-worker");
        accepting.setDaemon(true);
        accepting.start();
    }

    /** Answers with a text. */
    public static Behaviour says(String text) {
        return (head, in, out) -> {
            in.readNBytes(length(head));
            answer(out, "200 OK", text);
        };
    }

    /** Answers with a status. */
    public static Behaviour refuses(String status, String... headers) {
        return (head, in, out) -> {
            in.readNBytes(length(head));
            answer(
                    out,
                    String.join(
                            "\r\n",
                            Stream.concat(Stream.of(status), Stream.of(headers)).toList()),
                    "no");
        };
    }

    public static void answer(OutputStream out, String status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        write(out, "HTTP/1.1 " + status + "\r\nContent-Length: " + body.length + "\r\nConnection: close\r\n\r\n");
        out.write(body);
        out.flush();
    }

    public static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    public static int length(String head) {
        return head.lines()
                .filter(line -> line.regionMatches(true, 0, "content-length:", 0, 15))
                .map(line -> Integer.valueOf(line.substring(15).strip()))
                .findFirst()
                .orElse(0);
    }

    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.getLocalPort());
    }

    /** The heads of the requests it was sent. */
    public Queue<String> heads() {
        return heads;
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                sockets.add(socket);
                Thread serving = new Thread(() -> serve(socket), "raw-worker-call");
                serving.setDaemon(true);
                serving.start();
            }
        } catch (IOException closed) {
            sockets.forEach(RawWorker::hangUp);
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            String head = head(socket.getInputStream());
            if (!head.isEmpty()) {
                heads.add(head);
                behaviour.serve(head, socket.getInputStream(), socket.getOutputStream());
            }
        } catch (IOException | InterruptedException over) {
            hangUp(socket); // the other side has gone, which many tests are about
        }
    }

    private static String head(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n")) {
            int one = in.read();
            if (one < 0) {
                return "";
            }
            head.write(one);
        }
        return head.toString(StandardCharsets.US_ASCII);
    }

    private static void hangUp(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
