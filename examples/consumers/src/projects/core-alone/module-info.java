module consumer {
    requires dev.substraterouter;
}
