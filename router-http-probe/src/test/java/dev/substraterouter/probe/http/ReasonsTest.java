package dev.substraterouter.probe.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.ProtocolException;
import java.net.SocketException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ReasonsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of(new NoStatusException("auth: none"), "auth: none"),
                Arguments.of(new HttpTimeoutException("request timed out"), "timed out after 2.0 s"),
                Arguments.of(new UnknownHostException("secret"), "unknown host"),
                Arguments.of(new ConnectException().initCause(new UnresolvedAddressException()), "unknown host"),
                Arguments.of(new SSLHandshakeException("bad\r\ncertificate"), "tls: bad??certificate"),
                Arguments.of(new SSLHandshakeException(null), "tls: no reason given"),
                Arguments.of(new NoRouteToHostException("secret"), "no route to host"),
                Arguments.of(new ConnectException("Network is unreachable"), "no route to host"),
                Arguments.of(new ConnectException("Connection timed out"), "connecting timed out"),
                Arguments.of(new ConnectException(), "connection refused"),
                Arguments.of(new ProtocolException("Invalid status line: secret"), "not HTTP"),
                Arguments.of(new SocketException("Connection reset by peer"), "reset"),
                Arguments.of(new IOException("Broken pipe"), "reset"),
                Arguments.of(
                        new IOException("HTTP/1.1 header parser received no bytes", new EOFException()),
                        "closed without an answer"),
                Arguments.of(new EOFException("EOF reached while reading"), "answer cut short"),
                Arguments.of(new IOException("fixed content-length: 9, bytes received: 3"), "answer cut short"),
                Arguments.of(new IOException("secret"), "broken off: IOException"),
                Arguments.of(new IllegalStateException("secret"), "failed: IllegalStateException"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void eachFailureHasItsWordsHoweverItIsWrapped(Throwable failure, String words) {
        assertThat(Reasons.of(failure, TIMEOUT)).isEqualTo(words);
        assertThat(Reasons.of(new CompletionException(failure), TIMEOUT)).isEqualTo(words);
    }

    @Test
    void aCauseThatGoesInCirclesEnds() {
        IllegalStateException one = new IllegalStateException();
        IllegalArgumentException two = new IllegalArgumentException(one);
        one.initCause(two);

        assertThat(Reasons.of(one, TIMEOUT)).startsWith("failed: Illegal");
    }

    @Test
    void foreignTextIsCut() {
        assertThat(Reasons.printable("x".repeat(10_000))).hasSizeLessThan(200).endsWith("...");
    }

    @Test
    void shortTimesAreInMilliseconds() {
        assertThat(Reasons.timedOut(Duration.ofMillis(50))).isEqualTo("timed out after 50 ms");
        assertThat(Reasons.timedOut(Duration.ofMillis(1_500))).isEqualTo("timed out after 1.5 s");
    }

    @Test
    void placesHaveTheirPort() {
        assertThat(Reasons.place(URI.create("http://h/x"))).isEqualTo("h:80");
        assertThat(Reasons.place(URI.create("HTTPS://h/x"))).isEqualTo("h:443");
        assertThat(Reasons.place(URI.create("http://[::1]:9/x"))).isEqualTo("[::1]:9");
    }
}
