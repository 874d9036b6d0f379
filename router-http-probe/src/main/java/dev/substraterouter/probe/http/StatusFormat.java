package dev.substraterouter.probe.http;

import dev.substraterouter.model.StatusAddress;
import dev.substraterouter.status.SubstrateStatus;
import java.util.Optional;

/** How one kind of server tells its status. Implementations are stateless and thread-safe, never block and keep no part of the body. */
interface StatusFormat {
    /**
     * Reads a body.
     *
     * @param body the whole body of an answer with the code 200
     * @return what it says; what it does not say, or says in a way that cannot be, is unknown
     * @throws NoStatusException if the body is not of this format at all; the only exception for any body
     */
    SubstrateStatus read(byte[] body) throws NoStatusException;

    /** The format of the given name, as in the policy's key {@code format}. */
    static Optional<StatusFormat> named(String name) {
        return name.equals(StatusAddress.NATIVE_FORMAT) ? Optional.of(new SubstrateFormat()) : Optional.empty();
    }
}
