package dev.substraterouter.infer;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The words for capabilities, by the names that policies use. A card stands for its generation, as compute capability is
 * what decides whether a kernel runs; it does not stand for {@code cuda}, which a policy declares by itself.
 */
final class Vocabulary {
    private static final Set<String> GAMER = Set.of("rtx", "geforce", "nvidia");
    /** What may stand before a bare number that is a card, as in "on the 5090"; not "port 5090". */
    private static final Set<String> BEFORE_CARD = Words.set("""
                    rtx geforce nvidia a an the on our my two four x or and not no needs need requires gtx /""");

    private static final Set<String> AFTER_CARD =
            Set.of("card", "cards", "gpu", "gpus", "ti", "s", "workstation", "super");
    private static final Set<String> NOT_AFTER_CARD = Words.set("""
                    gb gib mb mib steps images image tokens files frames seconds minutes hours px pixels rows
                    lines users requests samples documents x port th words %""");

    private static final Map<String, List<Term>> TERMS = terms();
    private static final Map<String, String> CARDS = cards();

    private Vocabulary() {}

    /** The longest term that stands here; null: none. */
    static @Nullable Term at(Sentence sentence, int index) {
        for (Term term : TERMS.getOrDefault(sentence.at(index), List.of())) {
            if (term.standsAt(sentence, index)) {
                return Metal.isMeant(sentence, index, term) ? term : null;
            }
        }
        return card(sentence, index);
    }

    private static @Nullable Term card(Sentence sentence, int index) {
        int number = sentence.is(index, GAMER) || sentence.at(index).equals("radeon") ? index + 1 : index;
        number = sentence.is(number, Set.of("rtx", "rx")) ? number + 1 : number;
        String generation = sentence.isNumber(number) ? CARDS.get(sentence.at(number)) : null;
        if (generation == null || !isCard(sentence, index, number)) {
            return null;
        }
        int end = number + 1;
        while (sentence.is(end, Set.of("ti", "super", "s", "xt", "xtx"))) {
            end++;
        }
        List<String> words = new ArrayList<>();
        for (int i = index; i < end; i++) {
            words.add(sentence.at(i));
        }
        return new Term(words, generation, Set.of(), Set.of());
    }

    private static boolean isCard(Sentence sentence, int index, int number) {
        return number > index
                || sentence.is(number + 1, AFTER_CARD)
                || (sentence.is(number - 1, BEFORE_CARD) && !sentence.is(number + 1, NOT_AFTER_CARD));
    }

    private static Map<String, List<Term>> terms() {
        List<Term> all = new ArrayList<>(List.of(
                Term.of("cuda", "cuda"),
                Term.of("rocm", "rocm"),
                Term.of("metal", "metal"),
                Term.of("apple metal", "metal"),
                Term.of("large bar", "large-bar"),
                Term.of("resizable bar", "large-bar"),
                Term.of("resizeable bar", "large-bar"),
                Term.of("tensor core", "tensor-cores"),
                Term.of("tensor cores", "tensor-cores"),
                Term.of("tensorcores", "tensor-cores"),
                Term.of("nvlink", "nvlink"),
                Term.of("nv link", "nvlink"),
                Term.of("half precision", "fp16"),
                Term.of("bfloat16", "bf16"),
                Term.of("float16", "fp16"),
                Term.of("float8", "fp8"),
                Term.of("nvfp4", "fp4"),
                Term.of("volta", "volta").notBehind("alessandro", "lake"),
                Term.of("turing", "turing")
                        .notBehind("alan")
                        .notAhead("test", "tests", "machine", "machines", "complete", "award"),
                Term.of("ampere", "ampere").notBehind("marie", "andre").notAhead("hour", "hours"),
                Term.of("ada", "ada").notAhead("lovelace"),
                Term.of("ada lovelace gpu", "ada"),
                Term.of("ada lovelace card", "ada"),
                Term.of("ada lovelace generation", "ada"),
                Term.of("nvidia ada lovelace", "ada"),
                Term.of("hopper", "hopper").notBehind("edward", "dennis").notAhead("painting", "paintings"),
                Term.of("blackwell", "blackwell").notBehind("elizabeth")));
        for (String format : List.of("fp4", "fp8", "fp16", "bf16", "int8", "int4")) {
            all.add(Term.of(format, format));
        }
        for (String format :
                List.of("fp 4", "fp 8", "fp 16", "bf 16", "int 8", "int 4", "rdna 2", "rdna 3", "rdna 4", "cdna 3")) {
            all.add(Term.of(format, format.replace(" ", "")));
        }
        for (String generation : List.of("rdna2", "rdna3", "rdna4", "cdna2", "cdna3", "cdna4")) {
            all.add(Term.of(generation, generation));
        }
        addCards(all, "volta", "v100", "v100s");
        addCards(all, "turing", "t4", "t4s");
        addCards(all, "ampere", "a100", "a100s", "a30", "a40", "a10", "a10g", "a6000", "a5000", "a4000");
        addCards(all, "ada", "l4", "l4s", "l40", "l40s");
        addCards(all, "hopper", "h100", "h100s", "h200", "h200s", "h800", "h20", "gh200");
        addCards(all, "blackwell", "b100", "b200", "b200s", "b300", "gb200", "gb300");
        addCards(all, "cdna2", "mi210", "mi250", "mi250x");
        addCards(all, "cdna3", "mi300", "mi300x", "mi300a", "mi325x");
        return index(all);
    }

    private static void addCards(List<Term> all, String generation, String... cards) {
        for (String card : cards) {
            all.add(Term.of(card, generation)
                    .notAhead("bacteriophage", "phage", "cell", "cells", "cache", "load", "paper", "switch"));
        }
    }

    private static Map<String, List<Term>> index(List<Term> all) {
        Map<String, List<Term>> byFirst = new HashMap<>();
        all.stream().sorted(Comparator.comparingInt(Term::length).reversed()).forEach(term -> byFirst.computeIfAbsent(
                        term.words().get(0), unused -> new ArrayList<>())
                .add(term));
        return Map.copyOf(byFirst);
    }

    private static Map<String, String> cards() {
        Map<String, String> cards = new HashMap<>();
        List.of("2060", "2070", "2080").forEach(card -> cards.put(card, "turing"));
        List.of("3060", "3070", "3080", "3090").forEach(card -> cards.put(card, "ampere"));
        List.of("4060", "4070", "4080", "4090").forEach(card -> cards.put(card, "ada"));
        List.of("5060", "5070", "5080", "5090").forEach(card -> cards.put(card, "blackwell"));
        List.of("7600", "7800", "7900").forEach(card -> cards.put(card, "rdna3"));
        return Map.copyOf(cards);
    }
}
