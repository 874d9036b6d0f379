package dev.substraterouter.examples.whatif.compare;

/** Student's t distribution, as far as 95 % confidence intervals need it. */
final class StudentT {
    private static final double[] FEW = {
        12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004, 2.262157, 2.228139
    };
    private static final double Z = 1.959963985;

    private StudentT() {}

    /**
     * The value that the distribution exceeds with 2.5 % probability. Tabled up to 10 degrees of freedom; beyond, the expansion about the
     * normal distribution, right to 0.0002.
     *
     * @param degrees degrees of freedom, 1 or more
     */
    static double quantile975(int degrees) {
        if (degrees <= FEW.length) {
            return FEW[degrees - 1];
        }
        double z3 = Z * Z * Z;
        double z5 = z3 * Z * Z;
        double z7 = z5 * Z * Z;
        double n = degrees;
        return Z
                + (z3 + Z) / (4 * n)
                + (5 * z5 + 16 * z3 + 3 * Z) / (96 * n * n)
                + (3 * z7 + 19 * z5 + 17 * z3 - 15 * Z) / (384 * n * n * n);
    }
}
