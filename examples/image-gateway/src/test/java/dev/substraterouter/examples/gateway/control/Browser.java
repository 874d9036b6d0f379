package dev.substraterouter.examples.gateway.control;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** A browser without a window, driven by the DevTools protocol: one page, what it asks the network for and what it complains of. */
final class Browser implements AutoCloseable, WebSocket.Listener {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Process process;
    private final Map<Integer, CompletableFuture<JsonNode>> asked = new ConcurrentHashMap<>();
    private final Queue<String> complaints = new ConcurrentLinkedQueue<>();
    private final Queue<String> requests = new ConcurrentLinkedQueue<>();
    private final AtomicInteger numbers = new AtomicInteger();
    private final StringBuilder partial = new StringBuilder(); // touched by the socket alone
    private final WebSocket socket;

    private Browser(Path executable, Path directory) throws IOException {
        process = started(executable, directory);
        URI page = page(directory.resolve("DevToolsActivePort"));
        socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(page, this)
                .join();
        for (String domain : List.of("Page", "Runtime", "Network", "Log")) {
            ask(domain + ".enable", Map.of());
        }
    }

    /** The browser on the PATH; empty: there is none. */
    static Optional<Browser> start(Path directory) throws IOException {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        Optional<Path> executable = Stream.of(path.split(File.pathSeparator))
                .flatMap(folder -> Stream.of("chromium", "chromium-browser").map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
        return executable.isEmpty() ? Optional.empty() : Optional.of(new Browser(executable.get(), directory));
    }

    private static Process started(Path executable, Path directory) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                executable.toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--disable-extensions",
                "--remote-debugging-port=0",
                "--user-data-dir=" + directory,
                "about:blank"));
        return new ProcessBuilder(command)
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("browser.log").toFile())
                .start();
    }

    private URI page(Path port) throws IOException {
        await(
                "the browser tells its port",
                () -> Files.exists(port) && lines(port).size() > 1);
        URI list = URI.create("http://127.0.0.1:" + lines(port).get(0) + "/json/list");
        try {
            String targets = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(list).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
            for (JsonNode target : Desk.JSON.readTree(targets)) {
                if ("page".equals(target.get("type").asString())) {
                    return URI.create(target.get("webSocketDebuggerUrl").asString());
                }
            }
            throw new AssertionError("the browser has no page: " + targets);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new AssertionError(file + " cannot be read", e);
        }
    }

    /** Opens an address and waits until it is loaded. */
    void open(URI address) {
        ask("Page.navigate", Map.of("url", address.toString()));
        await(
                address + " is loaded",
                () -> "complete".equals(text("document.readyState"))
                        && text("location.href").startsWith(address.toString()));
    }

    /** A window of this size, light or dark, without motion. */
    void look(int width, int height, boolean dark) {
        ask("Emulation.setScrollbarsHidden", Map.of("hidden", true));
        ask(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 500));
        ask(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "features",
                        List.of(
                                Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"),
                                Map.of("name", "prefers-reduced-motion", "value", "reduce"))));
    }

    /** What a script gives. */
    JsonNode evaluate(String script) {
        JsonNode answer =
                ask("Runtime.evaluate", Map.of("expression", script, "returnByValue", true, "awaitPromise", true));
        if (answer.has("exceptionDetails")) {
            throw new AssertionError(script + ": " + answer.get("exceptionDetails"));
        }
        return answer.at("/result/value");
    }

    /** What a script gives, as text. */
    String text(String script) {
        return evaluate("String(" + script + ")").asString();
    }

    /** Whether a script gives true. */
    boolean is(String script) {
        return evaluate("Boolean(" + script + ")").asBoolean();
    }

    /** Presses a key where the focus is. */
    void press(String key, int code) {
        String text = "Enter".equals(key) ? "\r" : "";
        for (String type : List.of("keyDown", "keyUp")) {
            ask(
                    "Input.dispatchKeyEvent",
                    Map.of("type", type, "key", key, "code", key, "windowsVirtualKeyCode", code, "text", text));
        }
    }

    /** Writes the whole page as a picture. */
    void picture(Path file) throws IOException {
        JsonNode answer = ask("Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", true));
        Files.createDirectories(file.getParent());
        Files.write(file, Base64.getDecoder().decode(answer.get("data").asString()));
    }

    /** Has every request to such an address hang, {@code *} standing for anything, until {@link #letGo}. */
    void hold(String address) {
        ask("Fetch.enable", Map.of("patterns", List.of(Map.of("urlPattern", address))));
    }

    /** Sends what was held, and holds nothing any more. */
    void letGo() {
        ask("Fetch.disable", Map.of());
    }

    /** What scripts, styles and the network complained of. */
    List<String> complaints() {
        return List.copyOf(complaints);
    }

    /** Every address that was asked for. */
    List<String> requests() {
        return List.copyOf(requests);
    }

    /** Forgets what was complained of and asked for. */
    void forget() {
        complaints.clear();
        requests.clear();
    }

    /** Waits until something is so. */
    static void await(String what, BooleanSupplier so) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!so.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("not within " + PATIENCE.toSeconds() + " s: " + what);
            }
            LockSupport.parkNanos(5_000_000);
        }
    }

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
        partial.append(data);
        if (last) {
            JsonNode message = Desk.JSON.readTree(partial.toString());
            partial.setLength(0);
            heard(message);
        }
        from.request(1);
        return null;
    }

    private void heard(JsonNode message) {
        if (message.has("id")) {
            CompletableFuture<JsonNode> waiting = asked.remove(message.get("id").asInt());
            if (waiting != null) {
                waiting.complete(message);
            }
            return;
        }
        JsonNode params = message.get("params");
        switch (message.get("method").asString()) {
            case "Runtime.exceptionThrown", "Log.entryAdded" -> complaints.add(params.toString());
            case "Runtime.consoleAPICalled" -> complaints.add(params.get("args").toString());
            case "Network.requestWillBeSent" ->
                requests.add(params.at("/request/url").asString());
            default -> {} // not of interest
        }
    }

    private JsonNode ask(String method, Map<String, ?> params) {
        int number = numbers.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        asked.put(number, answer);
        String message = Desk.JSON.writeValueAsString(Map.of("id", number, "method", method, "params", params));
        socket.sendText(message, true).join();
        JsonNode got = answer.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
        if (got.has("error")) {
            throw new AssertionError(method + ": " + got.get("error"));
        }
        return got.get("result");
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        process.onExit().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    }
}
