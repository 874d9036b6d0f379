package dev.substraterouter.trace.jsonl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substraterouter.simulate.Arrivals.Recorded.Request;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lines that are requests are read again and again, and the others are told. */
class JsonLinesRequestsTest {
    @TempDir
    private Path directory;

    private JsonLinesRequests read(String text) throws IOException {
        return JsonLinesRequests.read(Files.writeString(directory.resolve("requests.jsonl"), text));
    }

    @Test
    void requestsAreReadInOrder() throws IOException {
        JsonLinesRequests requests = read("""
                {"after_seconds": 0, "workload": "sdxl", "class": "batch", "factor": 1.2}
                {"after_seconds": 12.5}
                {"after_seconds": 12.5, "workload": "sdxl", "more": [1]}
                """);
        assertThat(requests)
                .containsExactly(
                        new Request(0, Optional.of("sdxl"), Optional.of("batch"), OptionalDouble.of(1.2)),
                        new Request(12.5, Optional.empty(), Optional.empty(), OptionalDouble.empty()),
                        new Request(12.5, Optional.of("sdxl"), Optional.empty(), OptionalDouble.empty()));
        assertThat(requests).as("again").hasSize(3);
        assertThat(requests.size()).isEqualTo(3);
        assertThat(requests.workloads()).containsEntry("sdxl", 2L).hasSize(1);
        assertThat(requests.classes()).containsEntry("batch", 1L).hasSize(1);
        assertThat(requests.skipped()).isZero();
    }

    @Test
    void instantsCountFromTheFirst() throws IOException {
        assertThat(read("""
                {"ts": "2026-03-01T00:00:10Z"}
                {"ts": "2026-03-01T00:00:11.25Z"}
                """)).extracting(Request::after).containsExactly(0.0, 1.25);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"after_seconds\": 4}|earlier than the line before",
                "{\"after_seconds\": -1}|after_seconds: not 0 or above",
                "{\"after_seconds\": \"NaN\"}|after_seconds: not 0 or above",
                "{\"after_seconds\": [5]}|after_seconds: not what belongs there",
                "{\"ts\": \"today\"}|ts: not what belongs there",
                "{}|ts: missing",
                "[]|no JSON object",
                "{\"after_seconds\": 6, \"workload\": \"\"}|workload: empty",
                "{\"after_seconds\": 6, \"class\": 5}|class: not what belongs there",
                "{\"after_seconds\": 6, \"factor\": 0}|factor: not above 0",
            })
    void whatIsNoRequestIsSkippedAndTold(String line, String why) throws IOException {
        JsonLinesRequests requests = read("{\"after_seconds\": 5}\n" + line + "\n{\"after_seconds\": 5}\n");
        assertThat(requests).hasSize(2);
        assertThat(requests.skipped()).isEqualTo(1);
        assertThat(requests.skippedLines().get(0).line()).isEqualTo(2);
        assertThat(requests.skippedLines().get(0).why()).isEqualTo(why);
    }

    @Test
    void namesAreBounded() throws IOException {
        JsonLinesRequests requests = read(IntStream.rangeClosed(0, JsonLinesRequests.MOST_NAMES)
                .mapToObj(at -> "{\"after_seconds\": " + at + ", \"workload\": \"w" + at + "\"}\n")
                .collect(Collectors.joining()));
        assertThat(requests.workloads()).hasSize(JsonLinesRequests.MOST_NAMES);
        assertThat(requests.skipped()).isEqualTo(1);
        assertThat(requests).hasSize(JsonLinesRequests.MOST_NAMES);
    }

    @Test
    void whatIsNotThereIsToldSo() throws IOException {
        assertThatThrownBy(() -> JsonLinesRequests.read(directory.resolve("absent")))
                .isInstanceOf(NoSuchFileException.class);
        Iterator<Request> none = read("").iterator();
        assertThat(none.hasNext()).isFalse();
        assertThatThrownBy(none::next).isInstanceOf(NoSuchElementException.class);
    }
}
