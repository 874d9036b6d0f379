/** Asks substrates for their status over HTTP, and serves a worker's. */
module dev.substraterouter.probe.http {
    requires transitive dev.substraterouter;
    requires transitive java.net.http;
    requires transitive jdk.httpserver;
    requires tools.jackson.core;
    requires tools.jackson.databind;
    requires static transitive org.jspecify;

    exports dev.substraterouter.probe.http;

    uses dev.substraterouter.probe.http.StatusFormat;
}
