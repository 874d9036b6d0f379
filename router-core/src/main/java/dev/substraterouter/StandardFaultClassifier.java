package dev.substraterouter;

import dev.substraterouter.model.FaultKind;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** The rules that {@link FaultClassifier#standard()} documents. */
final class StandardFaultClassifier implements FaultClassifier {
    /** Named, not referenced: the core does not need the module of the HTTP client. */
    private static final String HTTP_CONNECT_TIMEOUT = "java.net.http.HttpConnectTimeoutException";

    private static final int MAX_DEPTH = 32;

    @Override
    public FaultKind classify(Throwable failure) {
        Throwable t = unwrapped(failure);
        if (t instanceof BackpressureException) {
            return FaultKind.BUSY;
        }
        if (t instanceof SubstrateFaultException fault) {
            return fault.isOutOfMemory() || tellsOutOfMemory(fault) ? FaultKind.BUSY : FaultKind.NODE;
        }
        if (t instanceof CancellationException || interruption(t)) {
            return FaultKind.NEUTRAL;
        }
        if (neverArrived(t)) {
            return FaultKind.NODE_NOT_STARTED;
        }
        return t instanceof IOException || t instanceof TimeoutException ? FaultKind.NODE : FaultKind.REQUEST;
    }

    static Throwable unwrapped(Throwable failure) {
        Throwable t = failure;
        for (int depth = 0; depth < MAX_DEPTH; depth++) {
            boolean wrapper = t instanceof CompletionException
                    || t instanceof ExecutionException
                    || t instanceof UncheckedIOException;
            Throwable cause = t.getCause();
            if (!wrapper || cause == null) {
                return t;
            }
            t = cause;
        }
        return t;
    }

    /** Whether a failure, unwrapped, is the caller's interruption. A virtual thread's socket tells it as a closed socket. */
    static boolean interruption(Throwable t) {
        return t instanceof InterruptedException
                || t instanceof ClosedByInterruptException
                || (t instanceof SocketException && lower(t).contains("closed by interrupt"))
                || interruptedStream(t);
    }

    /** A caller's interrupt in the words of a stream; client libraries tell their own timeouts by the same type. */
    private static boolean interruptedStream(Throwable t) {
        return t instanceof InterruptedIOException
                && !(t instanceof SocketTimeoutException)
                && !lower(t).contains("timeout")
                && !lower(t).contains("timed out");
    }

    private static boolean neverArrived(Throwable t) {
        return t instanceof ConnectException
                || t instanceof NoRouteToHostException
                || t instanceof UnknownHostException
                || t instanceof UnresolvedAddressException
                || t.getClass().getName().equals(HTTP_CONNECT_TIMEOUT)
                || (t instanceof SocketTimeoutException && lower(t).contains("connect timed out"));
    }

    /** What workers' frameworks say in the body of a 5xx when the card is full. */
    private static boolean tellsOutOfMemory(SubstrateFaultException fault) {
        return lower(fault).contains("out of memory");
    }

    private static String lower(Throwable t) {
        String message = t.getMessage();
        return message == null ? "" : message.toLowerCase(Locale.ROOT);
    }
}
