package dev.substraterouter.examples.gateway.tools;

import java.util.List;

/**
 * What became of a message that was sent to several.
 *
 * @param answers one for each node it was sent to, in the order of their ids
 */
public record Deliveries(List<Delivery> answers) implements Outcome {
    /** Copies the list. */
    public Deliveries {
        answers = List.copyOf(answers);
    }
}
