package dev.substraterouter.verify;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Every way in which some substrates may each stand in one of so many ways, those with the most in the first way first. */
final class Assignments {
    private Assignments() {}

    /**
     * All of them.
     *
     * @param places how many substrates
     * @param ways how many ways, from 0
     */
    static List<byte[]> of(int places, int ways) {
        List<byte[]> all = new ArrayList<>();
        all.add(new byte[places]);
        for (int place = 0; place < places; place++) {
            int known = all.size();
            for (int way = 1; way < ways; way++) {
                for (int at = 0; at < known; at++) {
                    byte[] more = all.get(at).clone();
                    more[place] = (byte) way;
                    all.add(more);
                }
            }
        }
        all.sort(Comparator.comparingInt(Assignments::changed)); // stable
        return all;
    }

    private static int changed(byte[] ways) {
        int changed = 0;
        for (byte way : ways) {
            changed += way == 0 ? 0 : 1;
        }
        return changed;
    }
}
