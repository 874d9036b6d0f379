package dev.substraterouter.infer;

import java.util.Set;

/** Tells Apple's Metal from the material: "on Metal", not "a chair with metal legs", "bare metal" or "heavy metal". */
final class Metal {
    private static final Set<String> BEFORE = Words.set("""
                    on needs need require requires using use apple or and not no without nor via supports /
                    than but apples""");
    private static final Set<String> AHEAD =
            Set.of("gpu", "gpus", "api", "backend", "support", "capable", "shader", "shaders");

    private Metal() {}

    static boolean isMeant(Sentence sentence, int index, Term term) {
        return !term.words().equals(java.util.List.of("metal"))
                || sentence.is(index + 1, AHEAD)
                || (isNamed(sentence, index)
                        && (StopWords.contains(sentence.at(index + 1)) || sentence.endsPart(index + 1)));
    }

    private static boolean isNamed(Sentence sentence, int index) {
        boolean capital = Character.isUpperCase(sentence.raw(index, index + 1).charAt(0));
        return capital || sentence.endsPart(index - 1) || sentence.is(index - 1, BEFORE);
    }
}
