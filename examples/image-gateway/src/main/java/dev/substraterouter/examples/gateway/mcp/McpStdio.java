package dev.substraterouter.examples.gateway.mcp;

import dev.substraterouter.examples.gateway.access.Caller;
import dev.substraterouter.examples.gateway.tools.Tools;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CountDownLatch;

/**
 * The tools as MCP over standard input and output, for the one who has started this process. Nothing but MCP may be written to the output.
 * Thread-safe. Tool calls run side by side on threads of the SDK.
 */
public final class McpStdio implements AutoCloseable {
    private final McpSyncServer server;
    private final Watched input;

    private McpStdio(McpSyncServer server, Watched input) {
        this.server = server;
        this.input = input;
    }

    /**
     * Serves the standard streams of this process. From here on what anybody prints to standard output goes to standard error: the output
     * belongs to MCP.
     *
     * @param tools what is offered
     * @param caller who is served
     */
    public static McpStdio standard(Tools tools, Caller caller) {
        OutputStream out = System.out;
        System.setOut(System.err);
        return start(tools, caller, System.in, out);
    }

    /**
     * Serves a pair of streams.
     *
     * @param tools what is offered
     * @param caller who is served
     * @param in where requests come from
     * @param out where answers go
     */
    public static McpStdio start(Tools tools, Caller caller, InputStream in, OutputStream out) {
        Watched input = new Watched(in);
        StdioServerTransportProvider transport =
                new StdioServerTransportProvider(McpJsonDefaults.getMapper(), input, out, McpEndpoint.MOST_BYTES);
        McpSyncServer server = McpServer.sync(transport)
                .serverInfo(McpEndpoint.NAME, McpEndpoint.version())
                .instructions(McpEndpoint.INSTRUCTIONS)
                .capabilities(ServerCapabilities.builder().tools(false).build())
                .validateToolInputs(false) // the tools do, in the same words for every way of asking
                .tools(new Handlers(tools, context -> caller).specifications())
                .build();
        return new McpStdio(server, input);
    }

    /** Waits until the client has closed its side. */
    public void awaitEnd() throws InterruptedException {
        input.ended.await();
    }

    /** Takes no more requests. The thread that reads ends with its next line or the input's end. */
    @Override
    public void close() {
        server.closeGracefully();
        input.ended.countDown();
    }

    /** Notices the end of the input. */
    private static final class Watched extends FilterInputStream {
        final CountDownLatch ended = new CountDownLatch(1);

        Watched(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            return ended(() -> in.read());
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            return ended(() -> in.read(bytes, offset, length));
        }

        private int ended(Reading reading) throws IOException {
            int read = -1;
            try {
                read = reading.read();
                return read;
            } finally {
                if (read < 0) {
                    ended.countDown();
                }
            }
        }

        @FunctionalInterface
        private interface Reading {
            int read() throws IOException;
        }
    }
}
