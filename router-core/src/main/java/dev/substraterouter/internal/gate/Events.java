package dev.substraterouter.internal.gate;

import dev.substraterouter.trace.RouterEvent;
import org.jspecify.annotations.Nullable;

/**
 * What has happened to a substrate and is not told yet: part of its state, so that the one who wins a change also leaves its event, in the
 * order of the changes. Immutable.
 *
 * @param earlier what happened before, or null
 * @param event what happened
 */
public record Events(@Nullable Events earlier, RouterEvent event) {}
