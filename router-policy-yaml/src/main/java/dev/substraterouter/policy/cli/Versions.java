package dev.substraterouter.policy.cli;

import picocli.CommandLine.IVersionProvider;

/** The version as the jar's manifest has it. */
final class Versions implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = Versions.class.getPackage().getImplementationVersion();
        return new String[] {"substrate-policy " + (version == null ? "of an unpackaged build" : version)};
    }
}
