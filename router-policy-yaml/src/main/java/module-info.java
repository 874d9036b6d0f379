/** Policies and scenarios as YAML files, traces as JSON lines, scenarios made of traces, and all of it on a command line. */
module dev.substraterouter.policy.yaml {
    requires static info.picocli;
    requires static transitive org.jspecify;
    requires transitive dev.substraterouter;
    requires org.snakeyaml.engine;
    requires tools.jackson.core;
    requires tools.jackson.dataformat.yaml;

    exports dev.substraterouter.policy.yaml;
    exports dev.substraterouter.simulate.replay;
    exports dev.substraterouter.simulate.yaml;
    exports dev.substraterouter.trace.jsonl;

    opens dev.substraterouter.policy.cli to
            info.picocli;
}
