package dev.substraterouter.examples.gateway.web;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.ReentrantLock;
import org.eclipse.jetty.ee11.servlet.ServletContextRequest;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.jspecify.annotations.Nullable;

/**
 * Notices that a client has gone while its request is still being worked on.
 *
 * <p>An HTTP/1.1 server that has read a request does not look at the connection again before it has answered, so a client that hangs up on a
 * worker that is silent for a minute would be found out when the answer comes: the card works for nobody. Writing something in between, as
 * servers do elsewhere, is not open to a gateway that does not know what it forwards. So the socket is watched by a second selector, beside the
 * server's own, from when the request was read until its answer is over. At the end of the stream or a reset the client is gone. Bytes that
 * come instead, of a client that sends its next request without waiting, are handed to the connection, and the watch ends.
 *
 * <p><b>How the races end.</b> A watch has a lock of its own, under which the selector's thread reads and tells, and under which the watch is
 * closed: once {@link Watched#close} has returned, nothing is read any more and nobody is told. Only then may the answer end, after which the server reads the
 * connection itself. The key stays registered with no interest, for the connection's next request; it goes with the channel, which the
 * selector is woken for at least once a second, because a socket with a key is closed only when its selector has seen that.
 *
 * <p>What is not plain TCP is not watched; there a client that is gone is noticed at the next write. Thread-safe.
 */
public final class ClientWatch implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ClientWatch.class.getName());
    private static final long LOOKS_MILLIS = 1000;
    private static final int READ_BYTES = 1024;

    private final Selector selector;
    private final Thread thread;
    private volatile boolean closed;

    /**
     * A watch with a thread of its own.
     *
     * @throws IOException if there is no selector to be had
     */
    public ClientWatch() throws IOException {
        selector = Selector.open();
        thread = new Thread(this::run, "gateway-client-watch");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * A watch of the client of a request that this thread serves, not begun yet. When the client goes, this thread is interrupted.
     *
     * @return to be {@linkplain Watched#start started} when the body has been read to its end, and closed by this thread before the answer ends
     */
    public Watched of(HttpServletRequest request) {
        Connection connection = ServletContextRequest.getServletContextRequest(request)
                .getConnectionMetaData()
                .getConnection();
        boolean plain = connection.getEndPoint() instanceof SocketChannelEndPoint;
        if (!plain || !(connection instanceof Connection.UpgradeTo reader)) {
            return new Watched(null, null);
        }
        SocketChannel channel = ((SocketChannelEndPoint) connection.getEndPoint()).getChannel();
        return new Watched(channel, reader);
    }

    private void run() {
        while (!closed) {
            try {
                selector.select(this::ready, LOOKS_MILLIS);
            } catch (IOException broken) {
                throw new IllegalStateException("the selector of the client watch is broken", broken);
            }
        }
    }

    /** What goes wrong with one client must not end the watch of all. */
    @SuppressWarnings("CatchingUnchecked") // a connection that takes nothing back, say
    private void ready(SelectionKey key) {
        try {
            ((Watched) key.attachment()).readable();
        } catch (RuntimeException broken) {
            LOG.log(System.Logger.Level.WARNING, "a client is not watched any more", broken);
            key.cancel();
        }
    }

    @Override
    public void close() {
        closed = true;
        selector.wakeup();
        try {
            thread.join();
            selector.close();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (IOException broken) {
            throw new IllegalStateException("the selector of the client watch did not close", broken);
        }
    }

    /** One request's client. Thread-safe. */
    public final class Watched implements AutoCloseable {
        private final ReentrantLock lock = new ReentrantLock();
        private final @Nullable SocketChannel channel;
        private final Connection.@Nullable UpgradeTo reader;
        private final Thread serving = Thread.currentThread();
        private @Nullable SelectionKey key; // guarded by lock, as the next two
        private boolean over;
        private boolean told;

        private Watched(@Nullable SocketChannel channel, Connection.@Nullable UpgradeTo reader) {
            this.channel = channel;
            this.reader = reader;
        }

        /** Begins to watch, from whatever thread; after {@link #close} it does nothing. */
        public void start() {
            lock.lock();
            try {
                if (channel != null && !over) {
                    key = channel.register(selector, SelectionKey.OP_READ, this);
                    selector.wakeup();
                }
            } catch (ClosedChannelException already) {
                tell();
            } finally {
                lock.unlock();
            }
        }

        private void readable() {
            lock.lock();
            try {
                if (!over) {
                    look(ByteBuffer.allocate(READ_BYTES));
                }
            } finally {
                lock.unlock();
            }
        }

        private void look(ByteBuffer buffer) {
            int read;
            try {
                read = channel == null ? 0 : channel.read(buffer);
            } catch (IOException reset) {
                read = -1; // how it went is of no interest: nobody is there to be answered
            }
            if (read < 0) {
                tell();
            } else if (read > 0 && reader != null) {
                end();
                reader.onUpgradeTo(buffer.flip());
            }
        }

        private void tell() {
            end();
            told = true;
            serving.interrupt();
        }

        private void end() {
            over = true;
            try {
                if (key != null && key.isValid()) {
                    key.interestOps(0);
                }
            } catch (CancelledKeyException closed) {
                key = null; // the server has closed the channel, which ends the watch as well
            }
        }

        /** Whether the client has gone. */
        public boolean gone() {
            lock.lock();
            try {
                return told;
            } finally {
                lock.unlock();
            }
        }

        /** Ends the watch: from now on nothing is read and nobody is told. The thread, which goes on to serve others, is no longer interrupted by it. */
        @Override
        public void close() {
            lock.lock();
            try {
                end();
                if (told) {
                    Thread.interrupted();
                }
            } finally {
                lock.unlock();
            }
        }
    }
}
