module consumer {
    requires dev.substraterouter;
    requires dev.substraterouter.policy.yaml;
    requires dev.substraterouter.probe.http;
    requires jdk.httpserver;
}
