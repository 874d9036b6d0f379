/** Policies as YAML files, and traces as JSON lines. */
module dev.substraterouter.policy.yaml {
    requires static transitive org.jspecify;
    requires transitive dev.substraterouter;
    requires org.snakeyaml.engine;
    requires tools.jackson.core;
    requires tools.jackson.dataformat.yaml;

    exports dev.substraterouter.policy.yaml;
    exports dev.substraterouter.trace.jsonl;
}
