package dev.substraterouter.simulate;

import java.util.ArrayList;
import java.util.List;

/** The episodes and faults that are on at a node now, and what they come to together. Not thread-safe. */
final class Disturbances {
    private final List<Episode> episodes = new ArrayList<>();
    private final List<Fault> faults = new ArrayList<>();
    private double speed = 1;
    private double utilPct;
    private double vramGb;
    private double tempC = Double.NEGATIVE_INFINITY;
    private int jobs;
    private boolean unavailable;
    private boolean owner;
    private boolean crashed;
    private boolean lying;

    void episode(Episode episode, boolean on) {
        if (on) {
            episodes.add(episode);
        } else {
            episodes.remove(episode);
        }
        sum();
    }

    void fault(Fault fault, boolean on) {
        if (on) {
            faults.add(fault);
        } else {
            faults.remove(fault);
        }
        sum();
    }

    private void sum() {
        speed = 1;
        utilPct = 0;
        vramGb = 0;
        tempC = Double.NEGATIVE_INFINITY;
        jobs = 0;
        unavailable = false;
        owner = false;
        for (Episode episode : episodes) {
            speed *= episode.speed();
            utilPct += episode.utilPct();
            vramGb += episode.vramGb();
            tempC = Math.max(tempC, episode.tempC().orElse(tempC));
            jobs += episode.jobs();
            unavailable |= episode.unavailable();
            owner |= episode.owner();
        }
        for (Fault fault : faults) {
            speed *= fault.kind() == Fault.Kind.SLOW ? fault.factor() : 1;
            speed *= fault.kind() == Fault.Kind.HANG ? 0 : 1;
        }
        crashed = has(Fault.Kind.CRASH);
        lying = has(Fault.Kind.LYING_STATUS);
        unavailable |= crashed;
    }

    private boolean has(Fault.Kind kind) {
        for (Fault fault : faults) {
            if (fault.kind() == kind) {
                return true;
            }
        }
        return false;
    }

    double speed() {
        return speed;
    }

    double utilPct() {
        return utilPct;
    }

    double vramGb() {
        return vramGb;
    }

    double tempC() {
        return tempC;
    }

    int jobs() {
        return jobs;
    }

    boolean unavailable() {
        return unavailable;
    }

    boolean owner() {
        return owner;
    }

    boolean crashed() {
        return crashed;
    }

    boolean lying() {
        return lying;
    }

    /** Whether a router cannot reach the node. */
    boolean unreachable(int router) {
        for (Fault fault : faults) {
            boolean cutOff = fault.kind() == Fault.Kind.PARTITION
                    && (fault.router().isEmpty() || fault.router().getAsInt() == router);
            if (cutOff || fault.kind() == Fault.Kind.CRASH) {
                return true;
            }
        }
        return false;
    }
}
