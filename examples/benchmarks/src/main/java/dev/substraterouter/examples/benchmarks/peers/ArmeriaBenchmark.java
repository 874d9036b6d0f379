package dev.substraterouter.examples.benchmarks.peers;

import com.linecorp.armeria.client.ClientRequestContext;
import com.linecorp.armeria.client.Endpoint;
import com.linecorp.armeria.client.endpoint.EndpointGroup;
import com.linecorp.armeria.client.endpoint.EndpointSelectionStrategy;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import dev.substraterouter.examples.benchmarks.NanosPerCall;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Armeria: the weighted round robin pick of one of two endpoints, alone. */
@State(Scope.Benchmark)
public class ArmeriaBenchmark extends NanosPerCall {
    private final ClientRequestContext request = ClientRequestContext.of(HttpRequest.of(HttpMethod.GET, "/"));
    private final EndpointGroup group = EndpointGroup.of(
            EndpointSelectionStrategy.weightedRoundRobin(),
            Endpoint.of("a.test", 80).withWeight(2),
            Endpoint.of("b.test", 80).withWeight(1));

    /** The next endpoint. */
    @Benchmark
    public @Nullable Endpoint weightedRoundRobin() {
        return group.selectNow(request);
    }
}
