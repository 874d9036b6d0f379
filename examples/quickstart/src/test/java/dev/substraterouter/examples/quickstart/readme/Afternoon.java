package dev.substraterouter.examples.quickstart.readme;

import dev.substraterouter.policy.Policy;
import dev.substraterouter.simulate.Arrivals;
import dev.substraterouter.simulate.Fault;
import dev.substraterouter.simulate.Scenario;
import dev.substraterouter.simulate.Schedule;
import dev.substraterouter.simulate.ServiceTime;
import dev.substraterouter.simulate.Simulation;
import dev.substraterouter.simulate.SimulationReport;
import dev.substraterouter.simulate.Traffic;
import java.time.Duration;

/** An afternoon under virtual time. */
final class Afternoon {
    private Afternoon() {}

    static SimulationReport simulated(Policy policy) {
        Scenario afternoon = Scenario.builder("afternoon")
                .length(Duration.ofHours(6))
                .traffic(Traffic.builder(Arrivals.poisson(30))
                        .workload("flux-fill", 1)
                        .build())
                .work("flux-fill", ServiceTime.lognormal(Duration.ofSeconds(40), 0.2))
                .fault(Fault.of(Fault.Kind.CRASH, "legion", Schedule.once(Duration.ofHours(2), Duration.ofMinutes(10))))
                .build();
        return Simulation.of(policy, afternoon).run();
    }
}
