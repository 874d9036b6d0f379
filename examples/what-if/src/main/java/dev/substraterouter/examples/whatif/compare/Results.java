package dev.substraterouter.examples.whatif.compare;

import dev.substraterouter.simulate.Scenario;
import dev.substraterouter.simulate.SimulationReport;
import dev.substraterouter.simulate.SimulationReport.Node;
import dev.substraterouter.simulate.SimulationReport.Requests;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What came of a comparison: each measure of each run, and the whole report of each entrant's first run at each load. Filled by
 * {@link Comparison} alone; afterwards it does not change.
 */
public final class Results {
    private final Scenario scenario;
    private final List<Entrant> entrants;
    private final List<Double> loads;
    private final int seeds;
    private final Map<Key, Runs> runs = new HashMap<>();
    private final Map<Key, Long> offered = new HashMap<>();

    Results(Scenario scenario, List<Entrant> entrants, List<Double> loads, int seeds) {
        this.scenario = scenario;
        this.entrants = List.copyOf(entrants);
        this.loads = List.copyOf(loads);
        this.seeds = seeds;
    }

    void add(Entrant entrant, double load, int run, SimulationReport report) {
        checkSameRequests(entrant, load, run, report);
        runs.computeIfAbsent(new Key(entrant.name(), load), key -> new Runs(seeds, report))
                .add(run, report);
    }

    private void checkSameRequests(Entrant entrant, double load, int run, SimulationReport report) {
        long count = report.requests().stream().mapToLong(Requests::offered).sum();
        Long others = offered.putIfAbsent(new Key("run " + run, load), count);
        if (others != null && others != count) {
            throw new IllegalStateException("'" + entrant.name() + "' was offered " + count + " requests in run " + run
                    + " at load " + load + ", others " + others + " (expected: the same)");
        }
    }

    /** What was run, at load 1. */
    public Scenario scenario() {
        return scenario;
    }

    /** Who was compared. */
    public List<Entrant> entrants() {
        return entrants;
    }

    /** Who was run at a load. */
    public List<Entrant> entrantsAt(double load) {
        return load == baseLoad()
                ? entrants
                : entrants.stream().filter(Entrant::everyLoad).toList();
    }

    /** The entrant of a name. @throws IllegalArgumentException if there is none */
    public Entrant entrant(String name) {
        return entrants.stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no entrant is called '" + name + "'"));
    }

    /** The loads, ascending. */
    public List<Double> loads() {
        return loads;
    }

    /** The load nearest to 1, at which all entrants are run. */
    public double baseLoad() {
        return loads.stream()
                .min(Comparator.comparingDouble(load -> Math.abs(StrictMath.log(load))))
                .orElseThrow();
    }

    /** How many runs each entrant had at each load. */
    public int seeds() {
        return seeds;
    }

    /** A measure of an entrant. */
    public Estimate mean(String entrant, double load, Measure measure) {
        return Estimate.of(runs(entrant, load).of(measure));
    }

    /** By how much a measure of an entrant is above that of another, run by run. */
    public Estimate difference(String entrant, String than, double load, Measure measure) {
        return Estimate.ofDifference(
                runs(entrant, load).of(measure), runs(than, load).of(measure));
    }

    /** Seconds an hour in which an entrant's works disturbed the owner of each node. */
    public Map<String, Estimate> ownerSeconds(String entrant, double load) {
        Map<String, Estimate> estimates = new LinkedHashMap<>();
        runs(entrant, load).ownerSeconds.forEach((node, figures) -> estimates.put(node, Estimate.of(figures)));
        return estimates;
    }

    /** Requests an hour that came at a load, those whose clients hung up left out, in the mean. */
    public double requestsPerHour(double load) {
        Runs any = runs(entrantsAt(load).get(0).name(), load);
        return Estimate.of(any.requestsPerHour).mean();
    }

    /** The report of an entrant's run with the first seed. */
    public SimulationReport firstRun(String entrant, double load) {
        return runs(entrant, load).first;
    }

    private Runs runs(String entrant, double load) {
        return Objects.requireNonNull(
                runs.get(new Key(entrant, load)), () -> "'" + entrant + "' was not run at load " + load);
    }

    private record Key(String name, double load) {}

    /** The figures of one entrant at one load. */
    private static final class Runs {
        final SimulationReport first;
        final double[] requestsPerHour;
        final Map<String, double[]> ownerSeconds = new LinkedHashMap<>();
        private final Map<Measure, double[]> figures = new EnumMap<>(Measure.class);

        Runs(int seeds, SimulationReport first) {
            this.first = first;
            this.requestsPerHour = new double[seeds];
            for (Measure measure : Measure.values()) {
                figures.put(measure, new double[seeds]);
            }
            first.nodes().forEach(node -> ownerSeconds.put(node.substrate(), new double[seeds]));
        }

        double[] of(Measure measure) {
            return Objects.requireNonNull(figures.get(measure));
        }

        void add(int run, SimulationReport report) {
            figures.forEach((measure, each) -> each[run] = measure.of(report));
            requestsPerHour[run] = Measure.perHour(report, (double) report.offered());
            for (Node node : report.nodes()) {
                double[] seconds = ownerSeconds.get(node.substrate());
                if (seconds != null) {
                    seconds[run] = Measure.perHour(report, node.ownerSeconds());
                }
            }
        }
    }
}
