package dev.substraterouter.probe.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substraterouter.status.SubstrateStatus;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The built-in formats, and those that a host provides ({@code META-INF/services} of the tests names {@link TeaPot}). */
class StatusFormatsTest {
    /** A format of a host. */
    public static final class TeaPot implements StatusFormat {
        @Override
        public String name() {
            return "tea-pot";
        }

        @Override
        public List<String> paths() {
            return List.of("/brew");
        }

        @Override
        public SubstrateStatus read(StatusAnswer answer) throws NoStatusException {
            if (answer.code() != 418) {
                throw new NoStatusException("status " + answer.code() + " (expected: 418)");
            }
            return SubstrateStatus.builder().runningJobs(answer.body().length).build();
        }
    }

    private record Renamed(String name) implements StatusFormat {
        @Override
        public SubstrateStatus read(StatusAnswer answer) {
            return SubstrateStatus.builder().queuedJobs(7).build();
        }
    }

    @Test
    void theBuiltInOnesAreThere() {
        assertThat(new StatusFormats(List.of()).names())
                .isEqualTo(
                        "substrate, vllm, sglang, tgi, triton, dcgm, comfyui, ollama, llamacpp, a1111, tabbyapi, lmstudio, "
                                + "rocm-smi, amd-smi");
    }

    @Test
    void everyFormatAsksWhatACompleteAddressWouldName() {
        for (StatusFormat format : Answers.all()) {
            assertThat(format.paths()).allSatisfy(path -> assertThat(path).startsWith("/"));
            assertThat(format.accept()).isNotBlank();
            assertThat(format.maxBytes()).isBetween(StatusFormat.DEFAULT_MAX_BYTES, 8 * 1024 * 1024);
        }
    }

    @Test
    void aHostsFormatIsFoundByItsName() throws Exception {
        StatusFormat pot = StatusFormats.load().named("tea-pot").orElseThrow();

        assertThat(pot.read(Answers.answer(418, "/brew", "abc")).runningJobs()).hasValue(3);
        assertThatThrownBy(() -> pot.read(Answers.answer(200, "/brew", ""))).isInstanceOf(NoStatusException.class);
        assertThat(StatusFormats.load().names()).startsWith("substrate, vllm, ").endsWith(", tea-pot");
    }

    @Test
    void aHostsFormatTakesThePlaceOfABuiltInOneOfItsName() throws Exception {
        StatusFormats formats = new StatusFormats(List.of(new Renamed("vllm")));

        assertThat(formats.named("vllm")
                        .orElseThrow()
                        .read(Answers.answer(200, "", ""))
                        .queuedJobs())
                .hasValue(7);
        assertThat(formats.names()).startsWith("substrate, vllm, sglang, ");
    }
}
