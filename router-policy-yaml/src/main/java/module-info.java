/** Policies as YAML files. */
module dev.substraterouter.policy.yaml {
    requires static transitive org.jspecify;
    requires transitive dev.substraterouter;
    requires org.snakeyaml.engine;
    requires tools.jackson.core;
    requires tools.jackson.dataformat.yaml;

    exports dev.substraterouter.policy.yaml;
}
