package dev.substraterouter.examples.gateway;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The gateway in a process of its own, with the small heap that it is made for. */
final class GatewayProcess implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 30;

    private final Process process;
    private final Map<String, URI> addresses = new ConcurrentHashMap<>();
    private final CountDownLatch listening = new CountDownLatch(2);
    private final StringBuffer said = new StringBuffer();
    private final long startedNanos = System.nanoTime();

    private GatewayProcess(Process process) {
        this.process = process;
        Thread reading = new Thread(this::read, "gateway-output");
        reading.setDaemon(true);
        reading.start();
    }

    /**
     * Starts one.
     *
     * @param folder where its files are put
     * @param settings what stands in the settings beside the addresses and the policy
     */
    static GatewayProcess start(Path folder, String policy, String settings, Map<String, String> environment)
            throws IOException, InterruptedException {
        Files.writeString(folder.resolve("policy.yaml"), policy);
        Path file = Files.writeString(
                folder.resolve("gateway.yaml"),
                "listen: { clients: \"127.0.0.1:0\", control: \"127.0.0.1:0\" }\npolicy: policy.yaml\n" + settings);
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                System.getProperty("java.class.path"),
                ImageGateway.class.getName(),
                "serve",
                file.toString()));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        GatewayProcess gateway = new GatewayProcess(builder.start());
        if (!gateway.listening.await(PATIENCE_SECONDS, TimeUnit.SECONDS) || gateway.addresses.size() < 2) {
            gateway.close();
            throw new AssertionError("it does not listen: " + gateway.said);
        }
        return gateway;
    }

    private void read() {
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                said.append(line).append('\n');
                if (line.startsWith("clients: ") || line.startsWith("control: ")) {
                    addresses.put(
                            line.substring(0, 7), URI.create(line.substring(9).strip()));
                    listening.countDown();
                }
            }
        } catch (IOException closed) {
            said.append(closed);
        } finally {
            listening.countDown(); // it has ended: whoever waits for addresses waits for nothing
            listening.countDown();
        }
    }

    URI clients(String path) {
        return addresses.get("clients").resolve(path);
    }

    URI control(String path) {
        return addresses.get("control").resolve(path);
    }

    /** The addresses that it listens to over TCP, as the kernel tells them: {@code 127.0.0.1:8090}; others than IPv4 as they stand there. */
    List<String> listening() throws IOException {
        Set<String> inodes = new HashSet<>();
        try (DirectoryStream<Path> open = Files.newDirectoryStream(Path.of("/proc", process.pid() + "", "fd"))) {
            for (Path one : open) {
                inodes.add(Files.readSymbolicLink(one).toString().replaceAll("^socket:\\[(\\d+)]$", "$1"));
            }
        }
        List<String> found = new ArrayList<>();
        for (String table : List.of("tcp", "tcp6")) {
            for (String line : Files.readAllLines(Path.of("/proc", process.pid() + "", "net", table))) {
                String[] fields = line.strip().split("\\s+");
                if (fields.length > 9 && fields[3].equals("0A") && inodes.contains(fields[9])) {
                    found.add(address(fields[1]));
                }
            }
        }
        return found;
    }

    /** An address of the kernel's table. IPv4 ones that a socket of both families listens to stand there as {@code ::ffff:127.0.0.1}. */
    private static String address(String hex) {
        String host = hex.substring(0, hex.indexOf(':'));
        boolean mapped = host.startsWith("0000000000000000FFFF0000");
        if (host.length() != 8 && !mapped) {
            return hex;
        }
        long bytes =
                Long.parseLong(host.substring(host.length() - 8), 16); // in the order of this machine: little-endian
        return (bytes & 0xFF) + "." + (bytes >> 8 & 0xFF) + "." + (bytes >> 16 & 0xFF) + "." + (bytes >> 24) + ":"
                + Integer.parseInt(hex.substring(hex.indexOf(':') + 1), 16);
    }

    /** What it has taken of the processors. */
    Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** How long it has been there. */
    double seconds() {
        return (System.nanoTime() - startedNanos) / 1e9;
    }

    /** What it has written. */
    String said() {
        return said.toString();
    }

    /** SIGTERM. */
    void terminate() {
        process.destroy();
    }

    boolean alive() {
        return process.isAlive();
    }

    /** Its exit code, once it has ended. */
    int exitCode() throws InterruptedException {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("it did not end: " + said);
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
