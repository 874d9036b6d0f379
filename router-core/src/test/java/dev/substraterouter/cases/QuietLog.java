package dev.substraterouter.cases;

import java.util.logging.Logger;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Keeps what the library logs during a class of tests off the console; appenders of the tests still get it. */
final class QuietLog implements BeforeAllCallback, AfterAllCallback {
    static final Logger LOG = Logger.getLogger("dev.substraterouter");

    @Override
    public void beforeAll(ExtensionContext context) {
        LOG.setUseParentHandlers(false);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        LOG.setUseParentHandlers(true);
    }
}
