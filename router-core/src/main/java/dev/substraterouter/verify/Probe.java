package dev.substraterouter.verify;

import dev.substraterouter.status.SubstrateStatus;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Something that a substrate may say of itself, at the edge of what two policies think of it. See {@link Probes}.
 *
 * @param id the substrate's id
 * @param status what it says; null: it has never said anything
 * @param age how long ago it has said so
 * @param standing the same for people
 */
record Probe(String id, @Nullable SubstrateStatus status, Duration age, Standing standing) {}
