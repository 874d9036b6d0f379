package dev.substraterouter.examples.whatif.advice;

import dev.substraterouter.examples.whatif.compare.Results;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a comparison says, in words with figures. It tells what was observed in the runs, not what is behind it. Immutable.
 *
 * @param verdict what to do at the base load
 * @param headline the figures that the verdict rests on
 * @param topics the answers to the other questions
 * @param threshold the share of the penalised latency that a gain had to reach to count
 */
public record Advice(Verdict verdict, String headline, List<Topic> topics, double threshold) {
    /** A gain below this share of the penalised latency does not count, unless said otherwise. */
    public static final double THRESHOLD = 0.05;

    /** Copies the list. */
    public Advice {
        topics = List.copyOf(topics);
    }

    /**
     * The advice.
     *
     * @param results what was observed
     * @param study which entrant answers which question
     * @param threshold the share of the penalised latency that a gain must reach to count, for example 0.05
     */
    public static Advice of(Results results, Study study, double threshold) {
        Judge judge = new Judge(results, study, threshold);
        GainWords gains = new GainWords(results, study, judge);
        SettingWords settings = new SettingWords(results, study, judge);
        List<Topic> topics = new ArrayList<>();
        Stream.of(
                        new Topic("By how much", gains.byHowMuch()),
                        new Topic("At whose cost", gains.atWhoseCost()),
                        new Topic("What else changes", gains.whatElse()),
                        new Topic("Which feature pays for it", settings.features()),
                        new Topic("Which settings suit", settings.settings()),
                        new Topic("From which traffic on", settings.loads()),
                        new Topic("What was not compared", study.left()))
                .filter(topic -> !topic.sentences().isEmpty())
                .forEach(topics::add);
        return new Advice(judge.at(results.baseLoad()), gains.headline(), topics, threshold);
    }

    /**
     * The answer to one question.
     *
     * @param title the question
     * @param sentences the answer
     */
    public record Topic(String title, List<String> sentences) {
        /** Copies the list. */
        public Topic {
            sentences = List.copyOf(sentences);
        }
    }
}
