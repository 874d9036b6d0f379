package dev.substraterouter.examples.gateway.mcp;

import dev.substraterouter.examples.gateway.tools.Rig;
import java.net.URI;

/** A process that serves the tools by standard input and output, as the test starts it. */
final class StdioGateway {
    private StdioGateway() {}

    /** What it needs to be started with. */
    static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    /** Takes the addresses of two workers. */
    public static void main(String[] args) throws Exception {
        try (Rig rig = new Rig(URI.create(args[0]), URI.create(args[1]));
                McpStdio mcp = McpStdio.standard(rig.tools, Rig.AGENT)) {
            System.out.println("whatever a library prints must not reach the client");
            mcp.awaitEnd();
        }
    }
}
