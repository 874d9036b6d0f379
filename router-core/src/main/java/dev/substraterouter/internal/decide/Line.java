package dev.substraterouter.internal.decide;

import dev.substraterouter.model.Priority;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Those who wait, as they stand at one moment: in the order of service, and by when each must be looked at next. Guarded by the queue's
 * lock.
 *
 * <p><b>The idea.</b> The textbook way is to sort everybody, and to ask everybody for the next moment, whenever anything happens: n log n
 * for every event, although next to nothing has changed. Here each stands among those of its class by the order of arrival, and in an
 * agenda by the first moment at which something about it changes by time alone. As time goes on, only those are touched whose moment has
 * come: they change their class, and are entered for their next moment. So joining, leaving, and finding who is first or due cost log n; a
 * walk pays for those it looks at, a change of the policy for everybody, once.
 *
 * <p><b>Time</b> does not go back here. Whoever has read the clock earlier than another and gets the lock later is given the later reading:
 * as if it had been a little slower to read it.
 *
 * <p><b>What stays linear.</b> Where waiters are served by keys, which move with what is learned of latencies, everybody is sorted for each
 * walk. A newcomer to places that are all taken asks everybody there who would leave for it. Those who were found to wait by choice are gone through for the next moment: by the walk that found them everybody had been, since
 * something was free. How far a walk has to go is another matter, see {@link Round}.
 *
 * @param <S> the sort of waiter
 */
public final class Line<S extends Seeker> {
    private static final int CLASSES = Priority.values().length;
    /** Later than anything is looked at, and near enough for moments to be compared by difference. */
    private static final long FAR = Long.MAX_VALUE >> 2;

    private static final Comparator<Seeker> BY_ENTRY = Comparator.comparingLong(seeker -> seeker.entry);
    private static final Comparator<Seeker> BY_ARRIVAL =
            Comparator.<Seeker>comparingLong(seeker -> seeker.sequence).thenComparing(BY_ENTRY);
    /** By difference: the clock may wrap, and all moments lie within half its range. */
    private static final Comparator<Seeker> BY_MOMENT =
            ((Comparator<Seeker>) (one, other) -> Long.signum(one.moment - other.moment)).thenComparing(BY_ENTRY);

    private final List<TreeSet<S>> classes = new ArrayList<>(CLASSES);
    private final TreeSet<S> agenda = new TreeSet<>(BY_MOMENT);
    /** Who was found to wait by choice; who does not any more is dropped when somebody asks. */
    private final TreeSet<S> choosing = new TreeSet<>(BY_ENTRY);

    private Revision revision;
    /** Whether somebody has joined by the route of another revision. */
    private boolean mixed;

    private long now;
    private long entries;

    /** Nobody waits yet. */
    public Line(Revision revision) {
        this.revision = revision;
        for (int rank = 0; rank < CLASSES; rank++) {
            classes.add(new TreeSet<>(BY_ARRIVAL));
        }
    }

    // who stands in it

    /** Somebody joins. */
    public void join(S seeker) {
        seeker.entry = ++entries;
        mixed |= seeker.route().revision != revision.number;
        enter(seeker);
    }

    /** Somebody leaves who has joined. */
    public void leave(S seeker) {
        strike(seeker);
        choosing.remove(seeker);
    }

    /** Whether everybody stands by a route of a revision, and by its times. */
    public boolean standsUnder(Revision newest) {
        return !mixed && revision.number == newest.number;
    }

    /** Everybody has the route of a revision now, and the priority that it gives. */
    public void under(Revision newest) {
        List<S> everyone = new ArrayList<>(agenda);
        agenda.clear();
        classes.forEach(TreeSet::clear);
        revision = newest;
        mixed = false;
        everyone.forEach(this::enter);
    }

    // time

    /**
     * Everybody as time has left them.
     *
     * @param read when the clock was read
     * @return the moment that counts: that, or a later one that was known before
     */
    public long at(long read) {
        if (agenda.isEmpty() || read - now > 0) {
            now = read;
        }
        due().forEach(this::again);
        return now;
    }

    /** Something about somebody has changed that time does not change. */
    public void again(S seeker) {
        strike(seeker);
        enter(seeker);
    }

    /** Those who may be served and whose budget of waiting is used up, in the order in which they joined. */
    public List<S> expired() {
        List<S> due = due();
        due.removeIf(seeker -> !seeker.servable() || seeker.deadlineNanos - now > 0);
        return due;
    }

    /** How long until something about somebody changes by time alone: not above 0 when it has; {@link Long#MAX_VALUE} when nobody waits. */
    public long next() {
        long next = agenda.isEmpty() ? Long.MAX_VALUE : agenda.first().moment - now;
        for (S seeker : choosing()) {
            Decision look = seeker.lastLook();
            next = look == null ? next : Math.min(next, look.heldFor());
        }
        return next;
    }

    /** Those whose moment has come, in the order in which they joined. */
    private List<S> due() {
        List<S> due = new ArrayList<>();
        Iterator<S> soonest = agenda.iterator();
        while (soonest.hasNext()) {
            S seeker = soonest.next();
            if (seeker.moment - now > 0) {
                break;
            }
            due.add(seeker);
        }
        due.sort(BY_ENTRY);
        return due;
    }

    private void enter(S seeker) {
        seeker.standing = rank(seeker);
        seeker.moment = now + untilChange(seeker);
        classes.get(seeker.standing).add(seeker);
        agenda.add(seeker);
    }

    private void strike(S seeker) {
        classes.get(seeker.standing).remove(seeker);
        agenda.remove(seeker);
    }

    private int rank(Seeker seeker) {
        return seeker.priorityClass(now, revision.agesAfterNanos);
    }

    /** How long until something about it changes by time alone; not above 0 when its time is up. */
    private long untilChange(S seeker) {
        long age = now - seeker.arrivalNanos;
        long next = seeker.servable() ? seeker.deadlineNanos - now : Long.MAX_VALUE; // else somebody is asked first
        if (rank(seeker) > 0) { // who is in the most urgent class does not rise any more
            next = Math.min(next, revision.agesAfterNanos - Math.floorMod(age, revision.agesAfterNanos));
        }
        next = Math.min(next, upcoming(revision.holdAfterNanos - age));
        next = Math.min(next, upcoming(seeker.route().overflowAfterNanos - age));
        return Math.min(Math.min(next, FAR), seeker.ask().nextReturn(now));
    }

    private static long upcoming(long nanos) {
        return nanos > 0 ? nanos : Long.MAX_VALUE;
    }

    // who waits by choice

    /** Somebody was found to wait by choice. */
    public void chooses(S seeker) {
        choosing.add(seeker);
    }

    /** Who waits by choice and is such a one, the first that joined; null when there is none. */
    public @Nullable S choosing(Predicate<S> such) {
        for (S seeker : choosing()) {
            if (such.test(seeker)) {
                return seeker;
            }
        }
        return null;
    }

    private Set<S> choosing() {
        if (!choosing.isEmpty()) {
            choosing.removeIf(seeker -> {
                Decision look = seeker.lastLook();
                return look == null || !look.held();
            });
        }
        return choosing;
    }

    // the order of service

    /** Those who may be served, in the order of service. While it is gone through somebody may leave, nobody may join. */
    public Iterable<S> order(Revision newest) {
        return inClasses(newest) ? () -> new Walk(null) : ServiceOrder.sorted(servable(), newest, now);
    }

    /** As {@link #order}, with a newcomer who has not joined. */
    public Iterable<S> orderWith(S newcomer, Revision newest) {
        if (inClasses(newest)) {
            return () -> new Walk(newcomer);
        }
        List<S> all = servable();
        all.add(newcomer);
        return ServiceOrder.sorted(all, newest, now);
    }

    /** Whether under a revision the order of service is the one in which they stand. */
    private boolean inClasses(Revision newest) {
        return !ServiceOrder.overtakes(newest) && newest.agesAfterNanos == revision.agesAfterNanos;
    }

    private List<S> servable() {
        List<S> all = new ArrayList<>(agenda.size() + 1);
        for (S seeker : agenda) {
            if (seeker.servable()) {
                all.add(seeker);
            }
        }
        return all;
    }

    /** Class by class, each by arrival; a step finds the next by the one before, so it does not matter whether that has left. */
    private final class Walk implements Iterator<S> {
        private @Nullable S newcomer;
        private @Nullable S before;
        private int rank;
        private @Nullable S next;

        Walk(@Nullable S newcomer) {
            this.newcomer = newcomer;
        }

        @Override
        public boolean hasNext() {
            while (next == null && rank < CLASSES) {
                next = nextInClass();
            }
            return next != null;
        }

        @Override
        public S next() {
            S found = hasNext() ? next : null;
            if (found == null) {
                throw new NoSuchElementException();
            }
            next = null;
            return found;
        }

        private @Nullable S nextInClass() {
            S after = after(before);
            while (after != null && !after.servable()) {
                after = after(after);
            }
            S joining = newcomer;
            if (joining != null && rank(joining) == rank && (after == null || BY_ARRIVAL.compare(joining, after) < 0)) {
                newcomer = null;
                return joining;
            }
            before = after;
            rank += after == null ? 1 : 0;
            return after;
        }

        private @Nullable S after(@Nullable S seeker) {
            TreeSet<S> there = classes.get(rank);
            if (seeker != null) {
                return there.higher(seeker);
            }
            return there.isEmpty() ? null : there.first();
        }
    }
}
