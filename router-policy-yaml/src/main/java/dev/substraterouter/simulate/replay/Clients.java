package dev.substraterouter.simulate.replay;

import dev.substraterouter.model.Priority;
import dev.substraterouter.simulate.RequestClass;
import dev.substraterouter.trace.RoutingTrace;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Who asked, as classes of requests. Not thread-safe while clients are counted.
 *
 * <p>Each priority and, where the router had roles, each identity is a class, up to a bound; beyond it, requests are of the first class with
 * the same role and priority.
 */
final class Clients {
    /** How many classes there may be before further identities go into the class of their role. */
    private static final int MANY = 200;

    private final Map<Client, Counted> classes = new LinkedHashMap<>();
    private final Map<Client, Counted> byRole = new LinkedHashMap<>();
    private long merged;

    /** Somebody with a priority, by identity or by role. */
    private record Client(Optional<String> name, Priority priority) {}

    private static final class Counted {
        private final String name;
        private final Client client;
        private long count;

        Counted(Client client) {
            this.client = client;
            String priority = client.priority.name().toLowerCase(Locale.ROOT);
            this.name = client.name.map(identity -> identity + ", " + priority).orElse(priority);
        }
    }

    void count(RoutingTrace trace) {
        Client client = client(trace);
        Client role = new Client(trace.role(), trace.priority());
        Counted counted = classes.get(client);
        if (counted == null && classes.size() >= MANY && byRole.containsKey(role)) {
            counted = byRole.get(role);
            merged++;
        } else if (counted == null) {
            counted = new Counted(client);
            classes.put(client, counted);
            byRole.putIfAbsent(role, counted);
        }
        counted.count++;
    }

    /** The name of the class of a request that was counted. */
    String nameOf(RoutingTrace trace) {
        Counted own = classes.get(client(trace));
        Counted counted = own == null ? byRole.get(new Client(trace.role(), trace.priority())) : own;
        return Objects.requireNonNull(counted, "a request that was not counted").name;
    }

    /** How many requests are not of a class of their own identity. */
    long merged() {
        return merged;
    }

    List<RequestClass> classes() {
        List<RequestClass> all = new ArrayList<>();
        for (Counted one : classes.values()) {
            RequestClass.Builder builder =
                    RequestClass.builder(one.name, (double) one.count).priority(one.client.priority);
            one.client.name.ifPresent(builder::identity);
            all.add(builder.build());
        }
        return all;
    }

    /** Without roles, who asks decides nothing. */
    private static Client client(RoutingTrace trace) {
        return new Client(trace.role().isPresent() ? trace.identity() : Optional.empty(), trace.priority());
    }
}
