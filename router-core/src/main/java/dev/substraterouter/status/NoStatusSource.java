package dev.substraterouter.status;

import java.util.List;

/** Brings nothing. */
final class NoStatusSource implements StatusSource {
    @Override
    public void start(StatusSink sink) {
        // nothing will be brought to it
    }

    @Override
    public void targets(List<StatusTarget> targets) {
        // nothing is asked
    }

    @Override
    public void refresh(String substrateId) {
        // nothing is asked
    }

    @Override
    public void close() {
        // nothing is held
    }

    @Override
    public String toString() {
        return "StatusSource.none()";
    }
}
