package dev.substraterouter.infer;

import java.util.Set;

/** Words and marks that ask for nothing by themselves. */
final class StopWords {
    private static final Set<String> WORDS = Words.set("""
                    $ % , - . / : < = > ? \u00a3 \u20ac a about access all also am an and any are around as
                    at be been being both but by can card cards could did do does doing done each either else
                    enough etc for from get gets give go goes got gpu gpus had has have having he hello her
                    here hi him his how however i id ill im in into is it its ive job jobs just kindly let
                    lets like machine machines make may me might more most must my need needed needing needs
                    of on one only onto or our ours out over please possible put reach reaches reaching
                    request require required requires run running runs shall she should so some somewhere
                    stay stays such sure task than thank thanks that the their them then there therefore
                    these they thing things this those through to too total up upon us use used uses using
                    very via want wanted wants was we well were what support mandatory when where which while who will wish
                    with work workload would x you your""");

    private StopWords() {}

    static boolean contains(String word) {
        return WORDS.contains(word);
    }
}
