package dev.substraterouter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.substraterouter.model.FaultKind;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class FaultClassifierTest {
    static Stream<Arguments> failures() {
        return Stream.of(
                arguments(new ConnectException("Connection refused"), FaultKind.NODE_NOT_STARTED),
                arguments(new NoRouteToHostException(), FaultKind.NODE_NOT_STARTED),
                arguments(new UnknownHostException("gpu.example.com"), FaultKind.NODE_NOT_STARTED),
                arguments(new UnresolvedAddressException(), FaultKind.NODE_NOT_STARTED),
                arguments(new HttpConnectTimeoutException("HTTP connect timed out"), FaultKind.NODE_NOT_STARTED),
                arguments(new SocketTimeoutException("Connect timed out"), FaultKind.NODE_NOT_STARTED),
                arguments(new SocketTimeoutException("Read timed out"), FaultKind.NODE),
                arguments(new HttpTimeoutException("request timed out"), FaultKind.NODE),
                arguments(new SocketException("Connection reset"), FaultKind.NODE),
                arguments(new EOFException(), FaultKind.NODE),
                arguments(new IOException("broken pipe"), FaultKind.NODE),
                arguments(new TimeoutException(), FaultKind.NODE),
                arguments(new SubstrateFaultException("502"), FaultKind.NODE),
                arguments(new SubstrateFaultException("500", new IOException()), FaultKind.NODE),
                arguments(new SubstrateFaultException("500: CUDA out of memory"), FaultKind.BUSY),
                arguments(SubstrateFaultException.outOfMemory("507"), FaultKind.BUSY),
                arguments(new BackpressureException(Duration.ofSeconds(2)), FaultKind.BUSY),
                arguments(new InterruptedException(), FaultKind.NEUTRAL),
                arguments(new ClosedByInterruptException(), FaultKind.NEUTRAL),
                arguments(new CancellationException(), FaultKind.NEUTRAL),
                arguments(new IllegalArgumentException("context too long"), FaultKind.REQUEST),
                arguments(new OutOfMemoryError("Java heap space"), FaultKind.REQUEST),
                arguments(new Exception("400"), FaultKind.REQUEST),
                arguments(new CompletionException(new ConnectException()), FaultKind.NODE_NOT_STARTED),
                arguments(new ExecutionException(new CompletionException(new IOException())), FaultKind.NODE),
                arguments(new UncheckedIOException(new IOException()), FaultKind.NODE),
                arguments(new CompletionException("no cause", null), FaultKind.REQUEST));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void findsOutWhoseFaultItIs(Throwable failure, FaultKind kind) {
        assertThat(FaultClassifier.standard().classify(failure)).isEqualTo(kind);
    }
}
