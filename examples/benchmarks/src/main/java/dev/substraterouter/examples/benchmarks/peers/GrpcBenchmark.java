package dev.substraterouter.examples.benchmarks.peers;

import dev.substraterouter.examples.benchmarks.NanosPerCall;
import io.grpc.LoadBalancer.PickResult;
import io.grpc.LoadBalancer.SubchannelPicker;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** gRPC: the round robin pick of one of two ready subchannels, alone. */
@State(Scope.Benchmark)
public class GrpcBenchmark extends NanosPerCall {
    private final GrpcChannel.AnyCall call = new GrpcChannel.AnyCall();
    private final SubchannelPicker picker = GrpcChannel.roundRobin("a.test", "b.test");

    /** The next subchannel. */
    @Benchmark
    public PickResult roundRobin() {
        return picker.pickSubchannel(call);
    }
}
