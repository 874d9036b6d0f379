/** The router. */
module dev.substraterouter {
    requires static transitive org.jspecify;
    requires com.github.benmanes.caffeine;
    requires static jdk.jfr;

    exports dev.substraterouter;
    exports dev.substraterouter.infer;
    exports dev.substraterouter.batch;
    exports dev.substraterouter.model;
    exports dev.substraterouter.policy;
    exports dev.substraterouter.simulate;
    exports dev.substraterouter.status;
    exports dev.substraterouter.time;
    exports dev.substraterouter.trace;
    exports dev.substraterouter.verify;
}
