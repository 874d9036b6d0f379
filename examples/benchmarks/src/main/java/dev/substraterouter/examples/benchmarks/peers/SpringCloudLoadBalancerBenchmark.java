package dev.substraterouter.examples.benchmarks.peers;

import dev.substraterouter.examples.benchmarks.NanosPerCall;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.LoadBalancerProperties;
import org.springframework.cloud.client.loadbalancer.Response;
import org.springframework.cloud.client.loadbalancer.reactive.ReactiveLoadBalancer;
import org.springframework.cloud.loadbalancer.cache.CaffeineBasedLoadBalancerCacheManager;
import org.springframework.cloud.loadbalancer.cache.LoadBalancerCacheProperties;
import org.springframework.cloud.loadbalancer.core.CachingServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.core.HealthCheckServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.core.RoundRobinLoadBalancer;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.support.SimpleObjectProvider;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Spring Cloud LoadBalancer: round robin over two instances, from three kinds of list; it picks, and takes no permit. */
@State(Scope.Benchmark)
public class SpringCloudLoadBalancerBenchmark extends NanosPerCall {
    private static final String SERVICE = "inference";

    private final ServiceInstanceListSupplier two = new FixedList(List.of(instance("a"), instance("b")));
    private final HealthCheckServiceInstanceListSupplier alive = new HealthCheckServiceInstanceListSupplier(
            two, new DefaultProperties(), (instance, path) -> Mono.just(true));

    private final RoundRobinLoadBalancer fixed = roundRobin(two);
    private final RoundRobinLoadBalancer healthChecked = roundRobin(alive);
    private final RoundRobinLoadBalancer cached = roundRobin(new CachingServiceInstanceListSupplier(
            two, new CaffeineBasedLoadBalancerCacheManager(new LoadBalancerCacheProperties())));

    /** Starts the health checks, and waits until both were found alive. */
    @Setup(Level.Trial)
    public void start() {
        alive.afterPropertiesSet();
        alive.get().filter(found -> found.size() == 2).blockFirst(Duration.ofSeconds(30));
    }

    /** Stops them. */
    @TearDown(Level.Trial)
    public void stop() {
        alive.destroy();
    }

    /** From a list that never changes. */
    @Benchmark
    public @Nullable ServiceInstance fixed() {
        return choose(fixed);
    }

    /** From the list of those that passed their last health check. */
    @Benchmark
    public @Nullable ServiceInstance healthChecked() {
        return choose(healthChecked);
    }

    /** From a list kept in its Caffeine cache. */
    @Benchmark
    public @Nullable ServiceInstance cached() {
        return choose(cached);
    }

    private static @Nullable ServiceInstance choose(RoundRobinLoadBalancer balancer) {
        Response<ServiceInstance> response =
                balancer.choose(ReactiveLoadBalancer.REQUEST).block();
        return response == null ? null : response.getServer();
    }

    private static RoundRobinLoadBalancer roundRobin(ServiceInstanceListSupplier list) {
        return new RoundRobinLoadBalancer(new SimpleObjectProvider<>(list), SERVICE, 0);
    }

    private static ServiceInstance instance(String id) {
        return new DefaultServiceInstance(id, SERVICE, id + ".test", 80, false);
    }

    /** A list that never changes. */
    private record FixedList(Flux<List<ServiceInstance>> instances) implements ServiceInstanceListSupplier {
        FixedList(List<ServiceInstance> instances) {
            this(Flux.just(instances));
        }

        @Override
        public String getServiceId() {
            return SERVICE;
        }

        @Override
        public Flux<List<ServiceInstance>> get() {
            return instances;
        }
    }

    /** The properties as they are when nobody sets any. */
    private static final class DefaultProperties implements ReactiveLoadBalancer.Factory<ServiceInstance> {
        private final LoadBalancerProperties properties = new LoadBalancerProperties();

        @Override
        public LoadBalancerProperties getProperties(String serviceId) {
            return properties;
        }

        @Override
        public ReactiveLoadBalancer<ServiceInstance> getInstance(String serviceId) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <X> Map<String, X> getInstances(String name, Class<X> type) {
            return Map.of();
        }

        @Override
        @SuppressWarnings("TypeParameterUnusedInFormals")
        public <X> X getInstance(String name, Class<?> type, Class<?>... generics) {
            throw new UnsupportedOperationException();
        }
    }
}
