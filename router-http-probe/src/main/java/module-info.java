/** Asks substrates for their status over HTTP. */
module dev.substraterouter.probe.http {
    requires transitive dev.substraterouter;
    requires java.net.http;
    requires tools.jackson.core;
    requires tools.jackson.databind;
    requires static transitive org.jspecify;

    exports dev.substraterouter.probe.http;

    uses dev.substraterouter.probe.http.StatusFormat;
}
