package dev.substraterouter.probe.http;

import dev.substraterouter.model.StatusAddress;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.time.Cancellable;
import java.util.ArrayList;
import java.util.List;

/** Askers that a test answers for. For tests on one thread. */
final class FakeAskers implements Asker.Source {
    static final SubstrateStatus IDLE = SubstrateStatus.builder().runningJobs(0).build();

    final List<Question> questions = new ArrayList<>();
    private final ManualTime time;
    boolean closed;
    boolean answersAtOnce;

    FakeAskers(ManualTime time) {
        this.time = time;
    }

    /** One question that was asked. */
    record Question(StatusAddress where, long nanos, Asker.Reply reply, boolean[] cancelled) {
        boolean isCancelled() {
            return cancelled[0];
        }
    }

    @Override
    public Asker to(Address to) {
        StatusAddress address = to.where();
        return reply -> ask(address, reply);
    }

    private Cancellable ask(StatusAddress address, Asker.Reply reply) {
        boolean[] cancelled = {false};
        questions.add(new Question(address, time.nanos(), reply, cancelled));
        if (reply.sending() && answersAtOnce) {
            reply.answered(IDLE);
        }
        return () -> cancelled[0] = true;
    }

    Question last() {
        return questions.get(questions.size() - 1);
    }

    @Override
    public void close() {
        closed = true;
    }
}
