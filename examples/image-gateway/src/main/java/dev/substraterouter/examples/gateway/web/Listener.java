package dev.substraterouter.examples.gateway.web;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * One address that is listened to, with a thread pool of its own: clients that fill theirs leave the operator's free. Handlers run on virtual
 * threads where the JDK has them. Thread-safe once started.
 */
public final class Listener implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Listener.class.getName());
    private static final Duration LAST_BYTES = Duration.ofSeconds(1);

    private final Server server;
    private final ServerConnector connector;
    private final InetSocketAddress address;

    private Listener(Server server, ServerConnector connector) {
        this.server = server;
        this.connector = connector;
        this.address = new InetSocketAddress(connector.getHost(), connector.getLocalPort());
    }

    /** A builder of a listener that will be called so in thread names and messages. */
    public static Builder builder(String name, InetSocketAddress address) {
        return new Builder(name, address);
    }

    /** Where it listens, with the port it was given. */
    public InetSocketAddress address() {
        return address;
    }

    /** Takes no new connections; those there are go on. Does not block. */
    public void stopAccepting() {
        connector.shutdown();
    }

    /** Closes it. Requests that are being answered have the {@linkplain Builder#graceful time} to end; what is there then is cut off. */
    @Override
    public void close() {
        connector.getConnectedEndPoints().forEach(client -> client.setIdleTimeout(LAST_BYTES.toMillis()));
        try {
            server.stop();
        } catch (TimeoutException late) {
            LOG.log(System.Logger.Level.INFO, "the listener at " + address + " has cut off what did not end in time");
        } catch (Exception e) {
            throw new IllegalStateException("the listener at " + address + " did not stop", e);
        }
    }

    @Override
    public String toString() {
        return "listener " + " at " + address();
    }

    /** Builds a {@link Listener}. Not thread-safe. */
    public static final class Builder {
        private static final int HEADER_BYTES = 16 * 1024;
        private static final int ANSWER_HEADER_BYTES = 64 * 1024;
        private static final int SEND_BYTES = 128 * 1024;

        private final InetSocketAddress address;
        private final QueuedThreadPool threads;
        private final ServletContextHandler context = new ServletContextHandler("/");
        private Duration stalled = Duration.ofSeconds(30);
        private Duration graceful = Duration.ZERO;

        private Builder(String name, InetSocketAddress address) {
            this.address = address;
            this.threads = new QueuedThreadPool(200, 4);
            threads.setName(name);
            threads.setDaemon(true);
        }

        /** Serves a path by a servlet; it may answer asynchronously. */
        public Builder serve(String path, HttpServlet servlet) {
            ServletHolder holder = new ServletHolder(servlet);
            holder.setAsyncSupported(true);
            context.addServlet(holder, path);
            return this;
        }

        /** Asks this guard before anything is served; default: nobody is asked. */
        public Builder guard(Guard guard) {
            FilterHolder holder = new FilterHolder(new GuardFilter(guard));
            holder.setAsyncSupported(true);
            context.addFilter(holder, "/*", EnumSet.of(DispatcherType.REQUEST));
            return this;
        }

        /** At most so many threads, at least 8; default 200. */
        public Builder threads(int most) {
            threads.setMaxThreads(most);
            return this;
        }

        /** For how long a client may take or send nothing while it is its turn; default 30 s. */
        public Builder stalledAfter(Duration value) {
            stalled = value;
            return this;
        }

        /** For how long closing waits for the requests that are being answered; default: it does not. */
        public Builder graceful(Duration value) {
            graceful = value;
            return this;
        }

        /**
         * Listens.
         *
         * @throws IOException if it cannot
         */
        public Listener start() throws IOException {
            if (VirtualThreads.areSupported()) {
                threads.setVirtualThreadsExecutor(VirtualThreads.getDefaultVirtualThreadsExecutor());
            }
            Server server = new Server(threads);
            ServerConnector connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http()));
            connector.setHost(address.getAddress().getHostAddress());
            connector.setPort(address.getPort());
            connector.setIdleTimeout(stalled.toMillis());
            connector.setShutdownIdleTimeout(stalled.toMillis()); // who is served has the same patience to the end
            // In a buffer as large as the kernel would make it, a slow reader's progress does not show before it is cut
            // off.
            connector.setAcceptedSendBufferSize(SEND_BYTES);
            server.addConnector(connector);
            server.setHandler(graceful.isZero() ? context : new GracefulHandler(context));
            server.setStopTimeout(graceful.toMillis());
            server.setErrorHandler(new ProblemErrors());
            context.setErrorHandler(new ProblemErrors());
            try {
                server.start();
            } catch (IOException taken) {
                stop(server, taken);
                throw new IOException("cannot listen at " + address + ": " + taken.getMessage(), taken);
            } catch (Exception e) {
                stop(server, e);
                throw new IllegalStateException("the listener at " + address + " did not start", e);
            }
            return new Listener(server, connector);
        }

        private static HttpConfiguration http() {
            HttpConfiguration http = new HttpConfiguration();
            http.setSendServerVersion(false);
            http.setSendDateHeader(true);
            http.setRequestHeaderSize(HEADER_BYTES);
            http.setResponseHeaderSize(ANSWER_HEADER_BYTES);
            return http;
        }

        private static void stop(Server server, Exception why) {
            try {
                server.stop();
            } catch (Exception e) {
                why.addSuppressed(e);
            }
        }
    }
}
