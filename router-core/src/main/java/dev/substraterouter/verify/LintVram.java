package dev.substraterouter.verify;

import dev.substraterouter.model.Vram;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.SubstrateKind;
import dev.substraterouter.policy.Workload;
import java.util.List;
import java.util.OptionalDouble;

/** Compares what jobs take with the largest place there is. Not thread-safe: one for each run. */
final class LintVram {
    private final LintReport report;
    private final Place single;
    private final Place spread;

    /**
     * The largest place for a job.
     *
     * @param mib how large; {@link Long#MAX_VALUE} where one does not say how large it is
     * @param on the substrate
     */
    private record Place(long mib, String on) {
        Place or(long other, String substrate) {
            return other > mib ? new Place(other, substrate) : this;
        }
    }

    LintVram(Policy policy, LintReport report) {
        this.report = report;
        Place largest = new Place(-1, "");
        Place whole = largest;
        for (Substrate substrate : policy.substrates()) {
            if (substrate.kind() != SubstrateKind.BATCH) {
                long usable = usable(substrate);
                largest = largest.or(usable == Long.MAX_VALUE ? usable : usable / substrate.gpus(), substrate.id());
                whole = whole.or(usable, substrate.id());
            }
        }
        single = largest;
        spread = whole;
    }

    /** What a job could get in all; without a limit where that is not declared and hence not judged. */
    private static long usable(Substrate substrate) {
        OptionalDouble total = substrate.vramGb();
        if (total.isPresent()) {
            return Vram.there(total.getAsDouble()) - Vram.taken(substrate.keepFreeGb());
        }
        return substrate.kind() == SubstrateKind.LOCAL
                ? -1
                : Long.MAX_VALUE; // a local one without is never judged to fit
    }

    /** Looks at the figures of a workload that nobody but the batch path could meet. */
    void look(String path, Workload workload, boolean batch) {
        List<Candidate> written = workload.candidates();
        boolean inherits = written.isEmpty()
                ? !batch
                : written.stream().anyMatch(one -> one.vramGb().isEmpty());
        if (inherits) {
            look(path, workload.vramGb(), spans(workload));
        }
        for (int at = 0; at < written.size(); at++) {
            Candidate candidate = written.get(at);
            String place = path + (workload.pin().isPresent() ? ".pin" : ".route[" + at + "]");
            look(place, candidate.vramGb(), candidate.spansGpus());
        }
    }

    /** Whether the figure of a written candidate, its own or the workload's, is told. */
    boolean tells(Workload workload, Candidate candidate) {
        return candidate.vramGb().isPresent()
                ? aboveEvery(candidate.vramGb(), candidate.spansGpus())
                : aboveEvery(workload.vramGb(), spans(workload));
    }

    /** Whether the workload's own figure is for a job that may be spread somewhere. */
    private static boolean spans(Workload workload) {
        return workload.candidates().stream().anyMatch(one -> one.vramGb().isEmpty() && one.spansGpus());
    }

    private boolean aboveEvery(OptionalDouble gb, boolean spans) {
        Place most = spans ? spread : single;
        return gb.isPresent() && most.mib >= 0 && Vram.taken(gb.getAsDouble()) > most.mib;
    }

    private void look(String path, OptionalDouble gb, boolean spans) {
        if (aboveEvery(gb, spans)) {
            Place most = spans ? spread : single;
            double largest = Vram.gib(most.mib);
            report.add(
                    LintCode.VRAM_ABOVE_EVERY_GPU,
                    path + ".vram_gb",
                    "vram_gb: " + LintWords.number(gb.getAsDouble()) + ", "
                            + LintWords.number(gb.getAsDouble() - largest) + " more than there is anywhere",
                    "at most " + LintWords.number(largest) + ", the " + (spans ? "GPUs of '" : "largest GPU, on '")
                            + most.on + "'" + (spans ? " together" : ""));
        }
    }
}
