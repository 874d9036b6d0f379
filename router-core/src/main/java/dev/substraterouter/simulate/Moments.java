package dev.substraterouter.simulate;

import dev.substraterouter.simulate.TrafficStream.Moment;
import java.util.Iterator;

/** When requests come, one implementation for each kind of arrivals. */
final class Moments {
    private static final double SECONDS_PER_HOUR = 3600;
    private static final double NANOS = 1e9;

    private Moments() {}

    static Iterator<Moment> of(Arrivals arrivals, RandomStream times, RandomStream phases) {
        if (arrivals instanceof Arrivals.Poisson poisson) {
            return new Endless(times, phases, poisson.perHour(), 1, 1, Double.NaN, Double.NaN, 0, 1);
        }
        if (arrivals instanceof Arrivals.Bursts bursts) {
            return new Endless(
                    times,
                    phases,
                    bursts.perHour() / bursts.meanGroup(),
                    bursts.onFactor(),
                    bursts.offFactor(),
                    Spans.seconds(bursts.on()),
                    Spans.seconds(bursts.off()),
                    bursts.groupShare(),
                    bursts.groupSize());
        }
        Iterator<Arrivals.Recorded.Request> recorded =
                ((Arrivals.Recorded) arrivals).requests().iterator();
        return new Given(recorded);
    }

    /**
     * A Poisson process by thinning: candidates come at the highest rate, and each is kept with the probability that the rate of its moment
     * has of the highest.
     */
    private static final class Endless implements Iterator<Moment> {
        private final RandomStream times;
        private final RandomStream phases;
        private final double meanGap;
        private final double onShare;
        private final double offShare;
        private final double meanOn;
        private final double meanOff;
        private final double groupShare;
        private final int groupSize;
        private final boolean phased;
        private double at;
        private boolean on;
        private double phaseEnd;

        Endless(
                RandomStream times,
                RandomStream phases,
                double perHour,
                double onFactor,
                double offFactor,
                double meanOn,
                double meanOff,
                double groupShare,
                int groupSize) {
            double most = Math.max(onFactor, offFactor);
            this.times = times;
            this.phases = phases;
            this.meanGap = SECONDS_PER_HOUR / (perHour * most);
            this.onShare = onFactor / most;
            this.offShare = offFactor / most;
            this.meanOn = meanOn;
            this.meanOff = meanOff;
            this.groupShare = groupShare;
            this.groupSize = groupSize;
            this.phased = !Double.isNaN(meanOn);
            this.phaseEnd = phased ? phases.exponential(meanOff) : Double.POSITIVE_INFINITY;
        }

        @Override
        public boolean hasNext() {
            return true;
        }

        @Override
        public Moment next() {
            while (true) {
                at += times.exponential(meanGap);
                while (at >= phaseEnd) {
                    on = !on;
                    phaseEnd += phases.exponential(on ? meanOn : meanOff);
                }
                if (!phased || times.nextDouble() < (on ? onShare : offShare)) {
                    int size = groupShare > 0 && times.nextDouble() < groupShare ? groupSize : 1;
                    return new Moment((long) (at * NANOS), size, null);
                }
            }
        }
    }

    private record Given(Iterator<Arrivals.Recorded.Request> recorded) implements Iterator<Moment> {
        @Override
        public boolean hasNext() {
            return recorded.hasNext();
        }

        @Override
        public Moment next() {
            Arrivals.Recorded.Request request = recorded.next();
            return new Moment((long) (request.after() * NANOS), 1, request);
        }
    }
}
