package dev.substraterouter.examples.benchmarks.peers;

import io.grpc.Attributes;
import io.grpc.CallOptions;
import io.grpc.ChannelLogger;
import io.grpc.ConnectivityState;
import io.grpc.ConnectivityStateInfo;
import io.grpc.EquivalentAddressGroup;
import io.grpc.LoadBalancer;
import io.grpc.LoadBalancerRegistry;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.SynchronizationContext;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** As much of a channel as gRPC's load balancer needs: every subchannel is ready as soon as it is asked to connect. */
final class GrpcChannel extends LoadBalancer.Helper {
    private final SynchronizationContext synchronization = new SynchronizationContext((thread, failure) -> {
        throw new IllegalStateException(failure);
    });
    private ConnectivityState state = ConnectivityState.IDLE;
    private LoadBalancer.@Nullable SubchannelPicker picker;

    private GrpcChannel() {}

    /** The picker that the registered round robin policy makes for ready subchannels to these hosts. */
    static LoadBalancer.SubchannelPicker roundRobin(String... hosts) {
        GrpcChannel channel = new GrpcChannel();
        LoadBalancer balancer = LoadBalancerRegistry.getDefaultRegistry()
                .getProvider("round_robin")
                .newLoadBalancer(channel);
        List<EquivalentAddressGroup> addresses = Stream.of(hosts)
                .map(host -> new EquivalentAddressGroup(InetSocketAddress.createUnresolved(host, 80)))
                .toList();
        channel.synchronization.execute(
                () -> balancer.acceptResolvedAddresses(LoadBalancer.ResolvedAddresses.newBuilder()
                        .setAddresses(addresses)
                        .build()));
        if (channel.state != ConnectivityState.READY || channel.picker == null) {
            throw new IllegalStateException("not ready: " + channel.state);
        }
        return channel.picker;
    }

    @Override
    public LoadBalancer.Subchannel createSubchannel(LoadBalancer.CreateSubchannelArgs args) {
        return new ReadySubchannel(args);
    }

    @Override
    public void updateBalancingState(ConnectivityState newState, LoadBalancer.SubchannelPicker newPicker) {
        state = newState;
        picker = newPicker;
    }

    @Override
    public SynchronizationContext getSynchronizationContext() {
        return synchronization;
    }

    @Override
    public ScheduledExecutorService getScheduledExecutorService() {
        throw new UnsupportedOperationException();
    }

    @Override
    public ChannelLogger getChannelLogger() {
        return new SilentLogger();
    }

    @Override
    public ManagedChannel createOobChannel(EquivalentAddressGroup group, String authority) {
        throw new UnsupportedOperationException();
    }

    @Override
    public String getAuthority() {
        return "inference";
    }

    private final class ReadySubchannel extends LoadBalancer.Subchannel {
        private final LoadBalancer.CreateSubchannelArgs args;
        private LoadBalancer.@Nullable SubchannelStateListener listener;

        ReadySubchannel(LoadBalancer.CreateSubchannelArgs args) {
            this.args = args;
        }

        @Override
        public void start(LoadBalancer.SubchannelStateListener startedBy) {
            listener = startedBy;
        }

        @Override
        public void requestConnection() {
            LoadBalancer.SubchannelStateListener startedBy = listener;
            if (startedBy != null) {
                synchronization.executeLater(
                        () -> startedBy.onSubchannelState(ConnectivityStateInfo.forNonError(ConnectivityState.READY)));
            }
        }

        @Override
        public void shutdown() {}

        @Override
        public List<EquivalentAddressGroup> getAllAddresses() {
            return args.getAddresses();
        }

        @Override
        public Attributes getAttributes() {
            return args.getAttributes();
        }

        @Override
        public String toString() {
            return args.getAddresses().toString();
        }
    }

    /** A call that the policy does not look at. */
    static final class AnyCall extends LoadBalancer.PickSubchannelArgs {
        @Override
        public CallOptions getCallOptions() {
            return CallOptions.DEFAULT;
        }

        @Override
        public Metadata getHeaders() {
            throw new UnsupportedOperationException();
        }

        @Override
        public MethodDescriptor<?, ?> getMethodDescriptor() {
            throw new UnsupportedOperationException();
        }
    }

    private static final class SilentLogger extends ChannelLogger {
        @Override
        public void log(ChannelLogLevel level, String message) {}

        @Override
        public void log(ChannelLogLevel level, String messageFormat, Object... args) {}
    }
}
