package dev.substraterouter.probe.http;

import dev.substraterouter.model.AddressScope;
import dev.substraterouter.model.StatusAddress;
import dev.substraterouter.status.StatusTarget;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * One address of one substrate, and how it is asked: two that are equal share their rhythm over a change of the targets.
 *
 * @param substrateId the substrate's id
 * @param source the name under which its answers are merged
 * @param where where to ask, and how
 * @param every the time between two questions
 * @param timeout how long an answer may take
 * @param scope where it must lie
 */
record Address(
        String substrateId, String source, StatusAddress where, Duration every, Duration timeout, AddressScope scope) {
    private static final Duration LEAST_EVERY = Duration.ofMillis(10);
    private static final Duration LEAST_TIMEOUT = Duration.ofMillis(1);
    private static final Duration MOST = Duration.ofDays(365);

    /** The addresses of a target, each with a source name of its own. */
    static List<Address> of(StatusTarget target, StatusFormats formats) {
        Set<String> names = new HashSet<>();
        List<Address> all = new ArrayList<>();
        for (StatusAddress where : expanded(target.addresses(), formats)) {
            String name = source(where.url());
            String unique = name;
            for (int n = 2; !names.add(unique); n++) {
                unique = name + " #" + n;
            }
            Duration every = within(target.every(), LEAST_EVERY);
            Duration timeout = within(target.timeout(), LEAST_TIMEOUT);
            all.add(new Address(target.substrateId(), unique, where, every, timeout, target.scope()));
        }
        return all;
    }

    /** Where an address has no path, those of its format. */
    private static List<StatusAddress> expanded(List<StatusAddress> declared, StatusFormats formats) {
        List<StatusAddress> all = new ArrayList<>();
        for (StatusAddress one : declared) {
            List<String> paths =
                    formats.named(one.format()).map(StatusFormat::paths).orElse(List.of());
            if (paths.isEmpty() || !isBare(one.url())) {
                all.add(one);
            } else {
                paths.forEach(path -> all.add(
                        new StatusAddress(one.url().resolve(path), one.format(), one.tokenEnv(), one.tokenFile())));
            }
        }
        return all;
    }

    private static boolean isBare(URI url) {
        String path = url.getRawPath();
        return url.getHost() != null
                && (path == null || path.isEmpty() || path.equals("/"))
                && url.getRawQuery() == null;
    }

    /** The address without what may be secret or is noise: user info, query and fragment. */
    private static String source(URI url) {
        if (url.getHost() == null) {
            return "status";
        }
        String port = url.getPort() < 0 ? "" : ":" + url.getPort();
        String path = url.getRawPath() == null ? "" : url.getRawPath();
        return url.getScheme() + "://" + url.getHost() + port + path;
    }

    private static Duration within(Duration value, Duration least) {
        return value.compareTo(least) < 0 ? least : value.compareTo(MOST) > 0 ? MOST : value;
    }

    /** Host and port. */
    String place() {
        return Reasons.place(where.url());
    }

    @Override
    public String toString() {
        return substrateId + " at " + source;
    }
}
