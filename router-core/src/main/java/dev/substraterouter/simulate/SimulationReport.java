package dev.substraterouter.simulate;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What came of one run. Its text is the same, to the byte, for the same inputs. Immutable.
 *
 * @param scenario the scenario's name
 * @param seed the run's number
 * @param contender who placed
 * @param lengthSeconds how long requests arrived
 * @param endSeconds when the last was answered
 * @param refusalChargeSeconds what a refused or failed request is charged in the penalised latency
 * @param requests by workload and class
 * @param nodes by substrate, in the order of the policy
 * @param switches how often a request of a workload was placed elsewhere than the one of that workload before it
 * @param timeline figures over time, in at most {@value Timeline#STEPS} steps
 * @param events how many events the run had
 */
public record SimulationReport(
        String scenario,
        long seed,
        String contender,
        double lengthSeconds,
        double endSeconds,
        double refusalChargeSeconds,
        List<Requests> requests,
        List<Node> nodes,
        long switches,
        Timeline timeline,
        long events) {
    /** Copies the lists. */
    public SimulationReport {
        requests = List.copyOf(requests);
        nodes = List.copyOf(nodes);
    }

    /**
     * The requests of one workload and class.
     *
     * @param workload the workload
     * @param requestClass the class
     * @param interactive whether somebody waits for the answers
     * @param offered how many came
     * @param served how many were answered well
     * @param refused how many were refused, by reason
     * @param failed how many failed, by reason
     * @param abandoned how many clients hung up
     * @param deadlineSeconds when an answer is due; 0: there is no deadline
     * @param inTime how many were served within the deadline
     * @param latency from arrival to answer, of those served
     * @param waiting from arrival to the start of the work that served, of those served
     * @param servedBy how many each substrate served
     */
    public record Requests(
            String workload,
            String requestClass,
            boolean interactive,
            long offered,
            long served,
            Map<String, Long> refused,
            Map<String, Long> failed,
            long abandoned,
            double deadlineSeconds,
            long inTime,
            Distribution latency,
            Distribution waiting,
            Map<String, Long> servedBy) {
        /** How many were refused or failed. */
        public long lost() {
            return sum(refused) + sum(failed);
        }

        private static long sum(Map<String, Long> counts) {
            long sum = 0;
            for (long count : counts.values()) {
                sum += count;
            }
            return sum;
        }
    }

    /**
     * What happened on one node.
     *
     * @param substrate the substrate
     * @param placements works started there, those included that the node refused or could not be reached for
     * @param overloads placements while at least as many jobs as slots were on it, the refused ones not included
     * @param outOfMemory works that did not fit into its memory
     * @param refusals works it refused
     * @param unreached works whose connection failed
     * @param failures works that failed with the node or that the host gave up on
     * @param unavailable placements while an episode made it unavailable
     * @param coldLoads works that had to wait for their model
     * @param busySeconds seconds in which at least one routed job was on it
     * @param slotSeconds seconds of busy slots
     * @param ownerSeconds seconds in which a routed job was on it while its owner was at work
     * @param kwh energy of its busy slots
     */
    public record Node(
            String substrate,
            long placements,
            long overloads,
            long outOfMemory,
            long refusals,
            long unreached,
            long failures,
            long unavailable,
            long coldLoads,
            double busySeconds,
            double slotSeconds,
            double ownerSeconds,
            double kwh) {}

    /**
     * Figures over time. Each list has one figure for each step.
     *
     * @param stepSeconds how long a step is
     * @param waiting mean number of waiting requests
     * @param refused requests refused or failed
     * @param nodes the figures of each node, in the order of the policy
     */
    public record Timeline(double stepSeconds, List<Double> waiting, List<Long> refused, List<OfNode> nodes) {
        /** The most steps there are. */
        public static final int STEPS = 360;

        /** Copies the lists. */
        public Timeline {
            waiting = List.copyOf(waiting);
            refused = List.copyOf(refused);
            nodes = List.copyOf(nodes);
        }

        /**
         * One node over time.
         *
         * @param substrate the substrate
         * @param served requests served by it
         * @param jobs mean number of routed jobs on it
         * @param foreignUtilPct mean utilisation by others, percent
         * @param unavailable the share of the step in which it was unavailable or down, 0 to 1
         * @param ownerAtWork the share of the step in which its owner was at work, 0 to 1
         */
        public record OfNode(
                String substrate,
                List<Long> served,
                List<Double> jobs,
                List<Double> foreignUtilPct,
                List<Double> unavailable,
                List<Double> ownerAtWork) {
            /** Copies the lists. */
            public OfNode {
                served = List.copyOf(served);
                jobs = List.copyOf(jobs);
                foreignUtilPct = List.copyOf(foreignUtilPct);
                unavailable = List.copyOf(unavailable);
                ownerAtWork = List.copyOf(ownerAtWork);
            }
        }
    }

    /** The requests of one workload and class. */
    public Optional<Requests> requests(String workload, String requestClass) {
        return requests.stream()
                .filter(one ->
                        one.workload().equals(workload) && one.requestClass().equals(requestClass))
                .findFirst();
    }

    /** How many requests came; those whose clients hung up are left out of this and of every figure below. */
    public long offered() {
        return requests.stream()
                .mapToLong(one -> one.offered() - one.abandoned())
                .sum();
    }

    /** How many were served. */
    public long served() {
        return requests.stream().mapToLong(Requests::served).sum();
    }

    /** How many were refused or failed. */
    public long lost() {
        return requests.stream().mapToLong(Requests::lost).sum();
    }

    /** From arrival to answer, of those served. */
    public Distribution latency() {
        Distribution all = new Distribution();
        requests.forEach(one -> all.add(one.latency()));
        return all;
    }

    /** Mean latency with every refused or failed request charged, seconds; 0 without requests. */
    public double penalisedSeconds() {
        return offered() == 0 ? 0 : (latency().sum() + lost() * refusalChargeSeconds) / offered();
    }

    /** The share of requests with a deadline and somebody waiting that were served in time; 1 without such. */
    public double inTimeShare() {
        long promised = 0;
        long kept = 0;
        for (Requests one : requests) {
            if (one.interactive() && one.deadlineSeconds() > 0) {
                promised += one.offered() - one.abandoned();
                kept += one.inTime();
            }
        }
        return promised == 0 ? 1 : (double) kept / promised;
    }

    /** Seconds in which routed work disturbed an owner. */
    public double ownerSeconds() {
        return nodes.stream().mapToDouble(Node::ownerSeconds).sum();
    }

    /** The node of a substrate. */
    public Optional<Node> node(String substrate) {
        return nodes.stream().filter(one -> one.substrate().equals(substrate)).findFirst();
    }

    /** Works started. */
    public long placements() {
        return nodes.stream().mapToLong(Node::placements).sum();
    }

    /** A text of every figure. */
    @Override
    public String toString() {
        return ReportText.of(this);
    }
}
