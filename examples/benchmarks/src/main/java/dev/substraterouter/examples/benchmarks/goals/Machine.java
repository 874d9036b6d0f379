package dev.substraterouter.examples.benchmarks.goals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** What the figures were measured on, in words. */
final class Machine {
    private Machine() {}

    static String describe() {
        return String.format(
                "%d cores%s%s; %s %s %s; JDK %s (%s)",
                Runtime.getRuntime().availableProcessors(),
                first("/proc/cpuinfo", "model name").map(name -> " of " + name).orElse(""),
                first("/proc/meminfo", "MemTotal").map(Machine::memory).orElse(""),
                System.getProperty("os.name"),
                System.getProperty("os.version"),
                System.getProperty("os.arch"),
                Runtime.version(),
                System.getProperty("java.vm.name"));
    }

    private static String memory(String kilobytes) {
        return ", " + Unit.BYTES.format(Double.parseDouble(kilobytes.replaceAll("\\D", "")) * 1_024) + " memory";
    }

    /** The value of the first line of a system file that has a name; empty where the system has no such file. */
    private static Optional<String> first(String file, String name) {
        try (Stream<String> lines = Files.lines(Path.of(file))) {
            return lines.filter(line -> line.startsWith(name))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst();
        } catch (IOException none) {
            return Optional.empty();
        }
    }
}
