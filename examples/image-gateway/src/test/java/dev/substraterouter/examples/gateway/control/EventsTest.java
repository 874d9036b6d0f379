package dev.substraterouter.examples.gateway.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.examples.gateway.control.SseClient.Heard;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.testkit.HandDrivenTime;
import dev.substraterouter.trace.RouterEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The stream of events over real sockets. */
class EventsTest {
    private static final Duration HEARTBEAT = Duration.ofSeconds(10);

    private final HandDrivenTime time = new HandDrivenTime();
    private final Desk desk = new Desk(time);
    private final List<SseClient> clients = new ArrayList<>();

    @AfterEach
    void close() {
        clients.forEach(SseClient::close);
        desk.close();
    }

    @Test
    void tellsWhatHappensAndHowItEnded() {
        SseClient client = client("");
        assertThat(client.headers).containsEntry("Content-Type", "text/event-stream");
        assertThat(client.comment()).isEqualTo(": still here");
        desk.allWell();
        desk.report("mirrorforge", 93, 64, 55);
        RouteRequest request =
                RouteRequest.workload("flux-dev").identity("agent-7").requestId("r1");
        desk.router.tryPlace(request).orElseThrow().succeed();

        Map<String, Heard> byType = new HashMap<>();
        client.next(3).forEach(heard -> byType.put(heard.type(), heard));
        assertThat(byType.keySet()).containsExactlyInAnyOrder("placed", "fell-back", "decision");
        assertThat(byType.get("fell-back").fact().at("/why/0/text").asString()).isEqualTo("gpu util 93 >= 70");
        assertThat(byType.get("fell-back").fact().get("primary_id").asString()).isEqualTo("mirrorforge");
        assertThat(byType.get("decision").fact().at("/attempts/0/path").asString())
                .isEqualTo("fallback");
        assertThat(byType.get("decision").fact().get("waited").asDouble()).isZero();
    }

    @Test
    void everyEventHasAName() {
        SseClient client = client("");
        desk.events.on(new RouterEvent.TrialStarted("legion"));
        desk.events.on(new RouterEvent.ReloadRejected(3, List.of("bad")));
        desk.post(Desk.ANNA, "/admin/substrates/legion/cordon", "");
        List<Heard> heard = client.next(3);
        assertThat(heard).extracting(Heard::type).containsExactly("trial-started", "reload-rejected", "operated");
        assertThat(heard.get(2).fact().toString())
                .isEqualTo("{\"caller\":\"ops-anna\",\"operation\":\"cordon\",\"substrate_id\":\"legion\"}");
    }

    @Test
    void aKickIsToldFromItsBeginningToItsEnd() {
        CompletableFuture<Void> up = new CompletableFuture<>();
        try (Desk kicking = new Desk(time, new History(time), Optional.of(id -> up));
                SseClient client = new SseClient(kicking, "0")) {
            kicking.allWell();
            assertThat(kicking.post(Desk.ANNA, "/admin/substrates/legion/kick", "")
                            .statusCode())
                    .isEqualTo(202);
            assertThat(client.next().fact().get("operation").asString()).isEqualTo("kick");
            up.complete(null);
            assertThat(client.next().fact().get("operation").asString()).isEqualTo("kicked");
        }
    }

    @Test
    void whoComesBackMissesNothing() {
        SseClient client = client("");
        tell(3);
        String seen = client.next(3).get(2).id();
        client.close();
        tell(5);
        SseClient again = client(seen);
        tell(1);
        assertThat(again.next(6))
                .extracting(heard -> heard.fact().get("revision").asInt())
                .containsExactly(0, 1, 2, 3, 4, 0);
    }

    @Test
    void whoWasAwayForLongIsToldHowMuchIsMissing() {
        SseClient client = client("");
        tell(1);
        String seen = client.next().id();
        tell(300);
        SseClient again = client(seen);
        Heard first = again.next();
        assertThat(first.type()).isEqualTo("lost");
        assertThat(first.fact().get("count").asInt()).isEqualTo(300 - Ring.SIZE);
        assertThat(again.next().fact().get("revision").asInt()).isEqualTo(300 - Ring.SIZE);
        // an id of another start: all there is
        assertThat(client("0").next().fact().get("revision").asInt()).isEqualTo(300 - Ring.SIZE);
        assertThat(client("ffff-7").next().fact().get("revision").asInt()).isEqualTo(300 - Ring.SIZE);
        assertThat(desk.send(desk.request(Desk.ANNA, "/admin/events")
                                .header("Last-Event-ID", "x".repeat(65))
                                .build())
                        .statusCode())
                .isEqualTo(400);
    }

    @Test
    void aClientThatDoesNotReadLosesEventsAndHoldsNobodyUp() {
        SseClient slow = client("", 32 * 1024);
        SseClient quick = client("");
        String filler = "x".repeat(8000);
        int told = 2_000;
        int heardByQuick = 0;
        for (int one = 0; one < told; one++) {
            desk.events.on(new RouterEvent.ReloadRejected(one, List.of(filler)));
            if (one % 100 == 99) {
                heardByQuick += quick.next(100).size();
            }
        }
        assertThat(heardByQuick).isEqualTo(told);
        desk.events.on(new RouterEvent.Reloaded(-1)); // the last one may be lost too; what is lost is told
        long accounted = 0;
        long lost = 0;
        long last = -1;
        while (accounted < told + 1) {
            Heard heard = slow.next();
            if (heard.type().equals("lost")) {
                lost += heard.fact().get("count").asLong();
                accounted += heard.fact().get("count").asLong();
                continue;
            }
            accounted++;
            long number = heard.fact().get("revision").asLong();
            assertThat(number < 0 || number > last)
                    .as(number + " after " + last)
                    .isTrue();
            last = number;
        }
        assertThat(accounted).isEqualTo(told + 1);
        assertThat(lost).isPositive();
        // and from now on it misses nothing again
        desk.events.on(new RouterEvent.Reloaded(7));
        assertThat(slow.next().fact().get("revision").asLong()).isEqualTo(7);
    }

    @Test
    void thereAreOnlySoManyStreamsAndThoseGoneAreNoticed() {
        for (int one = 0; one < Events.STREAMS; one++) {
            assertThat(client("").status).isEqualTo(200);
        }
        // sixteen streams and eight threads: none is held by a stream
        assertThat(desk.get("", "/healthz").statusCode()).isEqualTo(200);
        SseClient refused = client("");
        assertThat(refused.status).isEqualTo(503);
        assertThat(refused.headers)
                .containsKey("Retry-After")
                .containsEntry("Content-Type", "application/problem+json");
        clients.get(3).close();
        Browser.await("it is noticed", () -> {
            time.advance(HEARTBEAT);
            return desk.events.streams() == Events.STREAMS - 1;
        });
        assertThat(client("").status).isEqualTo(200);
    }

    @Test
    void beatsEveryTenSeconds() {
        SseClient client = client("");
        client.comment();
        for (int beat = 0; beat < 3; beat++) {
            time.advance(HEARTBEAT);
            assertThat(client.comment()).isEqualTo(": still here");
        }
    }

    @Test
    void endsForWhoMayNotLookAnyMore() {
        SseClient client = client("");
        client.comment();
        Policy policy = desk.router.policy();
        Policy.Builder without = Policy.builder()
                .substrates(policy.substrates().toArray(Substrate[]::new))
                .workloads(policy.workloads().toArray(Workload[]::new));
        policy.roles().stream().filter(role -> !role.name().equals("viewer")).forEach(without::role);
        desk.router.reload(without.build());
        time.advance(HEARTBEAT);
        assertThat(client.comment()).isNull();
        Browser.await("it is gone", () -> desk.events.streams() == 0);
    }

    @Test
    void endsWithTheGateway() {
        SseClient client = client("");
        client.comment();
        desk.events.close();
        assertThat(client.comment()).isNull();
        assertThat(client("").status).isEqualTo(503);
        Browser.await("it is gone", () -> desk.events.streams() == 0);
    }

    private SseClient client(String lastSeen) {
        return client(lastSeen, 64 * 1024);
    }

    private SseClient client(String lastSeen, int receiveBuffer) {
        SseClient client = new SseClient(desk, lastSeen, receiveBuffer);
        clients.add(client);
        return client;
    }

    private void tell(int count) {
        for (int one = 0; one < count; one++) {
            desk.events.on(new RouterEvent.Reloaded(one));
        }
    }
}
