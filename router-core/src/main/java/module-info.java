/** The router. */
module dev.substraterouter {
    requires static transitive org.jspecify;

    exports dev.substraterouter;
    exports dev.substraterouter.batch;
    exports dev.substraterouter.model;
    exports dev.substraterouter.policy;
    exports dev.substraterouter.status;
    exports dev.substraterouter.time;
    exports dev.substraterouter.trace;
}
