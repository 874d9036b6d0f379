package dev.substraterouter.examples.gateway.settings;

/** The settings cannot be used. The message names the file, the key, the value and what was expected. */
public final class SettingsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SettingsException(String message) {
        super(message);
    }
}
