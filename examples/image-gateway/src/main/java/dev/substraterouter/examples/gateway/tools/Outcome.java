package dev.substraterouter.examples.gateway.tools;

/** What became of work: it was answered, by one or by several, or it was taken for later. */
public sealed interface Outcome permits Reply, Ticket, Deliveries {}
