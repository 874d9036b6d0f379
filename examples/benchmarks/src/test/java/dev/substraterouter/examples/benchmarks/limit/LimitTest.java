package dev.substraterouter.examples.benchmarks.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The hand-written limits are right before they are fast. */
class LimitTest {
    private static final int VRAM_GB = Spot.JOB_VRAM_GB;

    @Test
    void firstTakesItWhileItHasAPlace() {
        Route route = Route.free();

        assertThat(BareLease.take(route, VRAM_GB).spot()).isSameAs(route.first());
        assertThat(Lease.take(route, VRAM_GB).spot()).isSameAs(route.first());
        assertThat(ExplainedLease.take(route, VRAM_GB).spot()).isSameAs(route.first());
        assertThat(TimedLease.take(route, VRAM_GB, 0).spot()).isSameAs(route.first());
        assertThat(Lease.take(route, VRAM_GB).spot()).isSameAs(route.second());
        assertThat(route.first().jobs()).isEqualTo(Spot.MAX_JOBS);
    }

    @Test
    void closingTwiceGivesBackOnce() {
        Route route = Route.free();
        Lease held = Lease.take(route, VRAM_GB);
        Lease closed = Lease.take(route, VRAM_GB);
        closed.close();
        closed.close();

        assertThat(route.first().jobs()).isEqualTo(1);
        held.close();
        assertThat(route.first().jobs()).isZero();
    }

    @Test
    void timedLeaseSaysHowLongItWasHeldOnce() {
        TimedLease lease = TimedLease.take(Route.free(), VRAM_GB, 100);

        assertThat(lease.close(130)).isEqualTo(30);
        assertThat(lease.close(140)).isEqualTo(-1);
    }

    @Test
    void reasonsAreKeptInTheOrderOfTheRoute() {
        ExplainedLease lease = ExplainedLease.take(Route.spilling(), VRAM_GB);

        assertThat(lease.spot()).isSameAs(lease.route().second());
        assertThat(lease.reasons()).isEqualTo(Gate.JOBS_FULL);
    }

    @Test
    void eachPredicateRefuses() {
        Spot spot = Spot.free();

        assertThat(spot.take(29)).isEqualTo(Gate.VRAM_SHORT);
        assertThat(spot.take(28)).isEqualTo(Gate.ADMITTED);
        assertThat(spot.take(1)).isEqualTo(Gate.VRAM_SHORT);
        spot.report(new Facts(91, 50, 28));
        assertThat(spot.take(1)).isEqualTo(Gate.UTIL_HIGH);
        spot.report(new Facts(10, 86, 28));
        assertThat(spot.take(1)).isEqualTo(Gate.TEMP_HIGH);
        assertThat(Spot.full().take(1)).isEqualTo(Gate.JOBS_FULL);
    }

    @Test
    void stripesHoldAsManyJobsAsASpotAndAreGivenBackOnce() {
        StripedSpot first = new StripedSpot();
        StripedSpot second = new StripedSpot();
        StripedLease lease = StripedLease.take(first, second, VRAM_GB);
        for (int job = 1; job < Spot.MAX_JOBS; job++) {
            StripedLease.take(first, second, VRAM_GB);
        }
        assertThat(first.jobs()).isEqualTo(Spot.MAX_JOBS);
        assertThat(second.jobs()).isZero();
        StripedLease.take(first, second, VRAM_GB);
        assertThat(second.jobs()).isEqualTo(1);

        lease.close();
        lease.close();
        assertThat(first.jobs()).isEqualTo(Spot.MAX_JOBS - 1);
        first.report(new Facts(91, 50, 28));
        assertThat(first.take(VRAM_GB)).isEqualTo(StripedSpot.NONE);
    }

    @Test
    void neverMoreJobsThanPlacesFromManyThreads() throws InterruptedException {
        Route route = new Route(Spot.free(), Spot.full());
        int threads = 2 * Spot.MAX_JOBS;
        CountDownLatch done = new CountDownLatch(threads);
        int[] most = new int[threads];
        for (int i = 0; i < threads; i++) {
            int thread = i;
            new Thread(() -> {
                        for (int round = 0; round < 10_000; round++) {
                            Lease lease = Lease.take(route, 1);
                            most[thread] = Math.max(most[thread], route.first().jobs());
                            if (lease != null) {
                                lease.close();
                            }
                        }
                        done.countDown();
                    })
                    .start();
        }
        done.await();

        assertThat(IntStream.of(most)).allMatch(jobs -> jobs <= Spot.MAX_JOBS);
        assertThat(route.first().jobs()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10, 64, 65, 1_000})
    void orderBitsAndScanAgree(int size) {
        Fleet fleet = Fleet.of(size);
        Fleet.Need need = new Fleet.Need(0, 8);
        int[] order = fleet.order(need);

        assertThat(order).hasSize(size);
        assertThat(fleet.firstUp(order)).isEqualTo(fleet.best(need)).isEqualTo(order[0]);
        fleet.report(order[0], false);
        assertThat(fleet.isUp(order[0])).isFalse();
        assertThat(fleet.firstUp(order)).isEqualTo(fleet.best(need)).isEqualTo(size == 1 ? Fleet.NONE : order[1]);
        assertThat(fleet.firstUpByBits()).isEqualTo(order[0] != 0 ? 0 : size == 1 ? Fleet.NONE : 1);
        assertThat(Fleet.allDown(size).firstUpByBits()).isEqualTo(Fleet.NONE);
        assertThat(Fleet.allDown(size).firstUp(order)).isEqualTo(Fleet.NONE);
    }

    @Test
    void histogramsCountWhatTheyAreTold() {
        Histograms histograms = new Histograms();
        histograms.countInBucket(0);
        histograms.countInBucket(Long.MAX_VALUE);
        histograms.recordInHdr(80);
        histograms.recordInMicrometer(80);

        assertThat(histograms.count()).isEqualTo(4);
    }
}
