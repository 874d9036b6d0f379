/**
 * The router. The metrics need {@code micrometer.core}, and the events for the flight recorder {@code jdk.jfr}, where a host wants them:
 * neither is needed otherwise.
 */
@SuppressWarnings("requires-automatic") // Micrometer is one
module dev.substraterouter {
    requires static transitive org.jspecify;
    requires com.github.benmanes.caffeine;
    requires static jdk.jfr;
    requires static micrometer.core;

    exports dev.substraterouter;
    exports dev.substraterouter.infer;
    exports dev.substraterouter.batch;
    exports dev.substraterouter.metrics;
    exports dev.substraterouter.model;
    exports dev.substraterouter.policy;
    exports dev.substraterouter.simulate;
    exports dev.substraterouter.status;
    exports dev.substraterouter.time;
    exports dev.substraterouter.trace;
    exports dev.substraterouter.verify;
}
