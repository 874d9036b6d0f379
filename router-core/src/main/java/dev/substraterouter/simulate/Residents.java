package dev.substraterouter.simulate;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/** The models that stay in a node's memory; the one not used for longest goes first. Not thread-safe. */
final class Residents {
    private final int most;
    private final double loadSeconds;
    /** In the order of use, the one not used for longest first. */
    private final Set<String> models = new LinkedHashSet<>();

    Residents(NodeModel node) {
        this.most = node.residentModels();
        this.loadSeconds = Spans.seconds(node.loadTime());
    }

    /** Whether loading is simulated at all. */
    boolean simulated() {
        return most > 0;
    }

    /** How long a model would load now, seconds. */
    double loadSeconds(String model) {
        return simulated() && !models.contains(model) ? loadSeconds : 0;
    }

    /** Uses a model; true when it had to be loaded. */
    boolean use(String model) {
        boolean cold = simulated() && !models.remove(model);
        if (simulated()) {
            models.add(model);
        }
        while (models.size() > most) {
            Iterator<String> oldest = models.iterator();
            oldest.next();
            oldest.remove();
        }
        return cold;
    }

    void clear() {
        models.clear();
    }

    /** The models in memory. */
    Set<String> models() {
        return models;
    }
}
