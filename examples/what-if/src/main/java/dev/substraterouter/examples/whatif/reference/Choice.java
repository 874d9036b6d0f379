package dev.substraterouter.examples.whatif.reference;

import dev.substraterouter.simulate.RandomStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Chooses where a request goes. It may keep a place for one that waits. */
@FunctionalInterface
interface Choice {
    /**
     * The option to take now.
     *
     * @param options in the order of the route, at least one
     * @param now seconds from the beginning of the run
     * @return null: wait
     */
    @Nullable
    Option choose(List<Option> options, double now);

    /** The choice by a rule. */
    static Choice of(ReferenceOptions options, RandomStream coins) {
        return switch (options.rule()) {
            case STATIC -> (all, now) -> first(all);
            case PIN -> (all, now) -> first(all.subList(0, 1));
            case WORKER_QUEUE -> (all, now) -> all.get(0).station().workerTakesOne() ? all.get(0) : null;
            case ROUND_ROBIN -> new InTurn();
            case LEAST_LOADED -> (all, now) -> leastLoaded(free(all), coins);
            case TWO_CHOICES -> (all, now) -> leastLoaded(two(free(all), coins), coins);
            case FASTEST -> (all, now) -> least(free(all), Option::serviceSeconds);
            case EARLIEST -> earliest(options.margin());
        };
    }

    /**
     * The best free option if it takes at most so many times as long as the best of all; else a place is kept for the request on the
     * latter.
     */
    static Choice earliest(double margin) {
        return (all, now) -> {
            Option best = least(all, Option::score);
            if (best == null || best.free()) {
                return best;
            }
            Option other = least(free(all), Option::score);
            if (other != null && other.score() - now <= margin * (best.score() - now)) {
                return other;
            }
            best.station().keep(best.endSeconds());
            return null;
        };
    }

    private static @Nullable Option first(List<Option> options) {
        for (Option option : options) {
            if (option.free()) {
                return option;
            }
        }
        return null;
    }

    private static List<Option> free(List<Option> options) {
        List<Option> free = new ArrayList<>(options);
        free.removeIf(option -> !option.free());
        return free;
    }

    private static @Nullable Option least(List<Option> options, ToDoubleFunction<Option> figure) {
        Option least = null;
        for (Option option : options) {
            if (least == null || figure.applyAsDouble(option) < figure.applyAsDouble(least)) {
                least = option;
            }
        }
        return least;
    }

    /** Among equals one by chance. */
    private static @Nullable Option leastLoaded(List<Option> options, RandomStream coins) {
        Option least = null;
        int equals = 0;
        for (Option option : options) {
            double difference = least == null
                    ? -1
                    : option.station().load() - least.station().load();
            equals = difference < 0 ? 1 : difference == 0 ? equals + 1 : equals;
            if (difference < 0 || (difference == 0 && coins.nextInt(equals) == 0)) {
                least = option;
            }
        }
        return least;
    }

    private static List<Option> two(List<Option> options, RandomStream coins) {
        if (options.size() <= 2) {
            return options;
        }
        List<Option> left = new ArrayList<>(options);
        Option one = left.remove(coins.nextInt(left.size()));
        return List.of(one, left.get(coins.nextInt(left.size())));
    }

    /** Begins each time after the one taken last. */
    final class InTurn implements Choice {
        private int next;

        @Override
        public @Nullable Option choose(List<Option> options, double now) {
            for (int at = 0; at < options.size(); at++) {
                int turn = (next + at) % options.size();
                if (options.get(turn).free()) {
                    next = turn + 1;
                    return options.get(turn);
                }
            }
            return null;
        }
    }
}
