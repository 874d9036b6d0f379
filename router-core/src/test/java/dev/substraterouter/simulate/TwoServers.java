package dev.substraterouter.simulate;

/**
 * The exact figures of two exponential servers of unequal speed with a few places to wait: a Markov chain whose balance equations are
 * solved by elimination. Who comes takes the fast one if it is free, else the slow one, else a place; who waits takes what is free first.
 *
 * <p>States: 0 empty, 1 the fast one works, 2 the slow one works, 3 + w both work and w wait.
 */
final class TwoServers {
    private static final int BOTH = 3;

    private final double[] share;

    TwoServers(double arrivals, double fast, double slow, int places) {
        int states = BOTH + places + 1;
        double[][] rates = new double[states][states];
        rates[0][1] = arrivals;
        rates[1][BOTH] = arrivals;
        rates[2][BOTH] = arrivals;
        rates[1][0] = fast;
        rates[2][0] = slow;
        rates[BOTH][2] = fast;
        rates[BOTH][1] = slow;
        for (int state = BOTH; state < states - 1; state++) {
            rates[state][state + 1] = arrivals;
            rates[state + 1][state] = fast + slow;
        }
        share = balanced(rates);
    }

    /** The share of time in which whoever comes is turned away. */
    double full() {
        return share[share.length - 1];
    }

    /** The share of time in which the fast one works. */
    double fastBusy() {
        return 1 - share[0] - share[2];
    }

    /** The share of time in which the slow one works. */
    double slowBusy() {
        return 1 - share[0] - share[1];
    }

    /** The mean number of those who wait. */
    double waiting() {
        double sum = 0;
        for (int state = BOTH; state < share.length; state++) {
            sum += share[state] * (state - BOTH);
        }
        return sum;
    }

    /** What flows into each state flows out of it; the last equation is that the shares make 1. */
    private static double[] balanced(double[][] rates) {
        int states = rates.length;
        double[][] equations = new double[states][states + 1];
        for (int from = 0; from < states; from++) {
            for (int to = 0; to < states; to++) {
                equations[to][from] += rates[from][to];
                equations[from][from] -= rates[from][to];
            }
        }
        for (int state = 0; state <= states; state++) {
            equations[states - 1][state] = 1;
        }
        return solved(equations);
    }

    private static double[] solved(double[][] equations) {
        int states = equations.length;
        for (int column = 0; column < states; column++) {
            int pivot = column;
            for (int row = column; row < states; row++) {
                pivot = Math.abs(equations[row][column]) > Math.abs(equations[pivot][column]) ? row : pivot;
            }
            double[] swapped = equations[column];
            equations[column] = equations[pivot];
            equations[pivot] = swapped;
            for (int row = 0; row < states; row++) {
                double factor = row == column ? 0 : equations[row][column] / equations[column][column];
                for (int at = column; at <= states && factor != 0; at++) {
                    equations[row][at] -= factor * equations[column][at];
                }
            }
        }
        double[] solution = new double[states];
        for (int row = 0; row < states; row++) {
            solution[row] = equations[row][states] / equations[row][row];
        }
        return solution;
    }
}
