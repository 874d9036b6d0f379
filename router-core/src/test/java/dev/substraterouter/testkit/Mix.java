package dev.substraterouter.testkit;

import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Builders;
import net.jqwik.api.Builders.BuilderCombinator;

/** Builders on which setters have been called, or not. */
record Mix<B>(BuilderCombinator<B> builders) {
    private static final double SOMETIMES = 0.4;

    static <B> Mix<B> of(Supplier<B> start) {
        return new Mix<>(Builders.withBuilder(start));
    }

    <T> Mix<B> maybe(Arbitrary<T> values, BiFunction<B, T, B> setter) {
        return maybe(SOMETIMES, values, setter);
    }

    <T> Mix<B> maybe(double probability, Arbitrary<T> values, BiFunction<B, T, B> setter) {
        return new Mix<>(builders.use(values).withProbability(probability).in(setter));
    }

    <T> Mix<B> always(Arbitrary<T> values, BiFunction<B, T, B> setter) {
        return new Mix<>(builders.use(values).in(setter));
    }

    <T> Arbitrary<T> build(Function<B, T> finish) {
        return builders.build(finish);
    }
}
