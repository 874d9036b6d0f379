/** Policies and scenarios as YAML files, traces as JSON lines, and scenarios made of traces. */
module dev.substraterouter.policy.yaml {
    requires static transitive org.jspecify;
    requires transitive dev.substraterouter;
    requires org.snakeyaml.engine;
    requires tools.jackson.core;
    requires tools.jackson.dataformat.yaml;

    exports dev.substraterouter.policy.yaml;
    exports dev.substraterouter.simulate.replay;
    exports dev.substraterouter.simulate.yaml;
    exports dev.substraterouter.trace.jsonl;
}
