package dev.substraterouter.infer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.model.Trust;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Sentences and what they ask for: the need in its own words, then priority and mode; what is not understood; a word or
 * more of each contradiction. {@code -} is nothing.
 */
class NeedInferenceTest {

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
        Needs CUDA                                                     | cuda                                 | - | -
        ROCm with 16 GB                                                | rocm, 16 GB                          | - | -
        runs on Metal                                                  | metal                                | - | -
        needs CUDA, large BAR and NVLink                               | cuda, large-bar, nvlink              | - | -
        a GPU with tensor cores and a large-BAR                        | large-bar, tensor-cores              | - | -
        resizable BAR please                                           | large-bar                            | - | -
        fp8 on Hopper                                                  | fp8, hopper                          | - | -
        FP16 or better                                                 | fp16                                 | better | -
        bf16, int8 and fp4 support                                     | bf16, fp4, int8                      | - | -
        half precision on Volta                                        | fp16, volta                          | - | -
        a V100 will do                                                 | volta                                | - | -
        on a T4                                                        | turing                               | - | -
        needs an A100                                                  | ampere                               | - | -
        on the 3090                                                    | ampere                               | - | -
        an RTX 4090 please                                             | ada                                  | - | -
        two L40s                                                       | ada                                  | two | -
        H100 or H200                                                   | hopper                               | - | -
        the 5090 workstation                                           | blackwell                            | workstation | -
        a B200                                                         | blackwell                            | - | -
        on an MI300X with ROCm                                         | cdna3, rocm                          | - | -
        RDNA 3                                                         | rdna3                                | - | -
        Ampere or newer                                                | ampere                               | newer | -
        CUDA 12.4                                                      | cuda                                 | 12.4 | -
        24GB                                                           | 24 GB                                | - | -
        24-GB                                                          | 24 GB                                | - | -
        24 gb vram                                                     | 24 GB                                | - | -
        24 GiB of VRAM                                                 | 24 GB                                | - | -
        at least 24 gigabytes                                          | 24 GB                                | - | -
        24 gigs of video memory                                        | 24 GB                                | - | -
        24G of GPU memory                                              | 24 GB                                | - | -
        8192 MiB                                                       | 8 GB                                 | - | -
        VRAM: 24,5 GB                                                  | 24.5 GB                              | - | -
        24.5 GB                                                        | 24.5 GB                              | - | -
        16,384 MB of VRAM                                              | 16 GB                                | - | -
        twenty four gigabytes                                          | 24 GB                                | - | -
        between 16 and 24 GB                                           | 24 GB                                | - | -
        16-24 GB                                                       | 24 GB                                | - | -
        from 16 GB to 24 GB of VRAM                                    | 24 GB                                | - | -
        2 x 16 GB                                                      | 32 GB over several GPUs              | - | -
        2x16GB                                                         | 32 GB over several GPUs              | - | -
        two 16GB cards                                                 | 32 GB over several GPUs              | - | -
        32 GB across two GPUs                                          | 32 GB over several GPUs              | - | -
        two GPUs with 16 GB each                                       | 32 GB over several GPUs              | - | -
        4xH100 80GB                                                    | hopper, 320 GB over several GPUs     | - | -
        48 GB on a single GPU                                          | 48 GB                                | - | -
        VRAM >= 24GB                                                   | 24 GB                                | - | -
        24+ GB                                                         | 24 GB                                | - | -
        24GB VRAM minimum                                              | 24 GB                                | - | -
        in the mirage repo                                             | codebase mirage                      | - | -
        for the codebase mirage                                        | codebase mirage                      | - | -
        uses repository foo-bar                                        | codebase foo-bar                     | - | -
        in the "acme/mirage" repository                                | codebase acme/mirage                 | - | -
        needs to reach the mirage MCP server                           | reaches mcp:mirage                   | - | -
        via the github mcp                                             | reaches mcp:github                   | - | -
        reach the mirage and github MCP servers                        | reaches mcp:github, reaches mcp:mirage | - | -
        MCP servers: jira, github                                      | reaches mcp:github, reaches mcp:jira | - | -
        must stay local                                                | privacy controlled                   | - | -
        on-prem only                                                   | privacy controlled                   | - | -
        no cloud                                                       | privacy controlled                   | - | -
        don't send it outside                                          | privacy controlled                   | - | -
        confidential patient data                                      | privacy controlled                   | data | -
        contains PII                                                   | privacy controlled                   | contains | -
        trusted partners are ok                                        | privacy partner                      | - | -
        the public cloud is fine                                       | privacy public                       | - | -
        24 GB, no rush, the cloud is fine                              | 24 GB, privacy public, low           | - | -
        needs CUDA and the cloud is ok                                 | cuda, privacy public                 | - | -
        the data must not leave the building                           | privacy controlled                   | - | -
        everything stays inside our network                            | privacy controlled                   | - | -
        urgent, runs about 40 seconds                                  | takes 40 s, high                     | - | -
        can go to the cloud                                            | privacy public                       | - | -
        quality of at least 0.9                                        | quality >= 0.9                       | - | -
        99.9% uptime                                                   | availability >= 0.999                | - | -
        within 30 seconds                                              | latency <= 30 s                      | - | -
        in under 2 minutes                                             | latency <= 120 s                     | - | -
        answer in 1.5 s                                                | latency <= 1.5 s                     | - | -
        takes about 2 hours                                            | takes 7200 s                         | - | -
        a 40-minute job                                                | takes 2400 s                         | - | -
        it takes half an hour                                          | takes 1800 s                         | - | -
        takes 1h30m                                                    | takes 5400 s                         | - | -
        runs for 2 to 3 hours                                          | takes 10800 s                        | - | -
        for under $2                                                   | cost <= 2                            | - | -
        costs at most 0.50                                             | cost <= 0.5                          | - | -
        at most 50 cents                                               | cost <= 0.5                          | - | -
        urgent                                                         | high                                 | - | -
        asap, on CUDA                                                  | cuda, high                           | - | -
        whenever, no rush                                              | low                                  | - | -
        run it overnight                                               | batch                                | - | -
        in batch with low priority                                     | low, batch                           | - | -
        I'm waiting                                                    | interactive                          | - | -
        """)
    void plain(String sentence, String asks, String notUnderstood, String contradictions) {
        check(sentence, asks, notUnderstood, contradictions);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
        # Denied names: reported when they forbid, silent when they only do not need.
        not on CUDA                                                    | anything                  | not on CUDA | -
        never run it on CUDA                                           | anything                  | never run it on CUDA | -
        anything but ROCm                                              | anything                  | anything but ROCm | -
        without tensor cores                                           | anything                  | without tensor cores | -
        CUDA is not allowed                                            | anything                  | CUDA is not allowed | -
        a CUDA-free machine                                            | anything                  | CUDA-free | -
        neither CUDA nor ROCm                                          | anything                  | neither CUDA; nor ROCm | -
        not on CUDA, ROCm or Metal                                     | anything                  | not on CUDA, ROCm or Metal | -
        not on the V100s                                               | anything                  | not on the V100s | -
        faster than a V100                                             | anything                  | faster; than a V100 | -
        no NVLink needed                                               | anything                  | - | -
        doesn't need CUDA                                              | anything                  | - | -
        does not need or use CUDA                                      | anything                  | - | -
        no need for NVLink                                             | anything                  | - | -
        NVLink is not necessary                                        | anything                  | - | -
        with or without NVLink                                         | anything                  | - | -
        preferably NVLink                                              | anything                  | preferably NVLink | -
        NVLink would be nice                                           | anything                  | NVLink would be nice | -
        not CUDA but ROCm                                              | rocm                      | not CUDA | -
        no NVLink, needs CUDA                                          | cuda                      | no NVLink | -
        without NVLink on Hopper                                       | hopper                    | without NVLink | -
        CUDA, not ROCm                                                 | cuda                      | not ROCm | -
        not on CUDA and needs ROCm                                     | rocm                      | not on CUDA | -
        cannot run without CUDA                                        | cuda                      | - | -
        nothing but CUDA                                               | cuda                      | - | -
        not only CUDA but also NVLink                                  | cuda, nvlink              | - | -
        don't forget CUDA                                              | cuda                      | - | -
        CUDA or ROCm                                                   | cuda                      | - | one of several
        CUDA, Ada or Hopper                                            | ada, cuda                 | - | one of several
        on CUDA, but not on CUDA                                       | cuda                      | not on CUDA | required and denied
        Ada and Hopper                                                 | ada, hopper               | - | hardly one place
        anything except Metal                                          | anything                  | anything except Metal | -
        this must not run on anything other than Hopper                | hopper                    | - | -
        do not use a 4090 or a 5090, use an H100                       | hopper                    | not use a 4090 or a 5090 | -
        not necessarily on CUDA                                        | anything                  | - | -
        rocm is a no-go                                                | anything                  | rocm is a no-go | -
        rocm is out of the question, needs cuda                        | cuda                      | rocm is out of the question | -
        # Words that only look like capabilities.
        a chair with metal legs                                        | anything                  | chair; metal legs | -
        on bare metal                                                  | anything                  | bare metal | -
        a portrait of Alan Turing                                      | anything                  | portrait; Alan Turing | -
        take the Turing test                                           | anything                  | take; Turing test | -
        a portrait of Ada Lovelace                                     | anything                  | portrait; Ada Lovelace | -
        port 5090                                                      | anything                  | port 5090 | -
        4090 images                                                    | anything                  | 4090 images | -
        # Two amounts, and amounts of other things.
        24 GB of VRAM and 64 GB of RAM                                 | 24 GB                     | 64 GB of RAM | -
        64 GB RAM, 24 GB VRAM                                          | 24 GB                     | 64 GB RAM | -
        RAM: 64 GB                                                     | anything                  | RAM; 64 GB | -
        128 GB of system memory                                        | anything                  | 128 GB of system memory | -
        500 GB on disk                                                 | anything                  | 500 GB on disk | -
        a 500 GB dataset on 24 GB                                      | 24 GB                     | 500 GB dataset | -
        900 GB/s                                                       | anything                  | 900 GB/s | -
        a 5G network                                                   | anything                  | 5G network | -
        12 or 24 GB                                                    | 24 GB                     | - | the larger
        16 GB, later 24 GB                                             | 24 GB                     | later | 24 is taken
        at most 24 GB                                                  | 24 GB                     | - | no upper bound
        a 24 GB card is too small                                      | 24.0009765625 GB          | - | -
        24 GB is not enough                                            | 24.0009765625 GB          | - | -
        more than 24 GB                                                | 24.0009765625 GB          | - | -
        no less than 24 GB                                             | 24 GB                     | - | -
        not 24 GB but 48 GB                                            | 48 GB                     | not 24 GB | -
        without NVLink and 24 GB                                       | 24 GB                     | without NVLink | -
        0 GB                                                           | anything                  | 0 GB | -
        2 x 32 GB of RAM                                               | anything                  | 2 x 32 GB of RAM | -
        48 GB over two GPUs, on a single GPU                           | 48 GB                     | - | false is taken
        does not fit on a card with 24 GB                              | 24.0009765625 GB          | not fit | -
        10 Gb network                                                  | anything                  | 10 Gb network | -
        no need for more than 24 GB                                    | anything                  | no need for more than 24 GB | -
        does not span GPUs: 48 GB                                      | 48 GB                     | not span | -
        # Numbers that are nothing of the kind.
        10.000 MB VRAM                                                 | anything                  | 10.000 MB VRAM | -
        1.000.000 MB                                                   | anything                  | 1.000.000 MB | -
        10.000,5 MB                                                    | anything                  | 10.000,5 MB | -
        1 024 MB                                                       | anything                  | 1 024 MB | -
        need 1e3 GB                                                    | anything                  | 1e3 GB | -
        1.5E+2 GB                                                      | anything                  | 1.5E+2 GB | -
        99.999% uptime                                                 | availability >= 0.99999   | - | -
        0.125 GB                                                       | 0.125 GB                  | - | -
        a 70B model                                                    | anything                  | 70B model | -
        FLUX.1 24 steps                                                | anything                  | FLUX.1 24 steps | -
        1024x1024                                                      | anything                  | 1024 | -
        port 8080                                                      | anything                  | port 8080 | -
        on 2024-05-01                                                  | anything                  | 2024; 05; 01 | -
        24 hours                                                       | anything                  | 24 hours | -
        a 30 second clip                                               | anything                  | 30 second clip | -
        5 minutes ago                                                  | anything                  | 5 minutes ago | -
        every 5 minutes                                                | anything                  | every 5 minutes | -
        at most 0.50                                                   | anything                  | 0.50 | -
        $2 per hour at most                                            | anything                  | $2; per hour | -
        JPEG quality 95                                                | anything                  | JPEG; quality 95 | -
        best quality                                                   | anything                  | best quality | -
        GPU at 90% utilisation                                         | anything                  | 90; utilisation | -
        # Times.
        takes less than 2 hours                                        | takes 7200 s              | - | -
        doesn't take 2 hours                                           | anything                  | doesn't take 2 hours | -
        within 30 seconds, at most 1 minute                            | latency <= 30 s           | - | PT30S is taken
        no later than 5 minutes                                        | latency <= 300 s          | - | -
        at least 30 seconds                                            | anything                  | at least 30 seconds | -
        # Names that are none.
        the repository is big                                          | anything                  | repository; big | -
        in this repo                                                   | anything                  | repo | -
        in the whole repo                                              | anything                  | whole repo | -
        not in the mirage repo                                         | anything                  | not in the mirage repo | -
        in the mirage repo or the oasis repo                           | codebase mirage           | - | mirage is taken
        no MCP servers                                                 | anything                  | no MCP servers | -
        without the github MCP                                         | anything                  | without the github MCP | -
        the MCP protocol                                               | anything                  | MCP protocol | -
        the github or gitlab MCP                                       | reaches mcp:github        | - | one of several
        in the private-api repo                                        | codebase private-api, privacy controlled | - | -
        # Privacy: never weaker than asked.
        never in the cloud                                             | privacy controlled        | - | -
        cloud is not ok                                                | privacy controlled        | - | -
        it can't go to the cloud                                       | privacy controlled        | - | -
        I don't think the cloud is fine                                | privacy controlled        | - | -
        not public                                                     | privacy controlled        | - | -
        cloud is fine if anonymised                                    | anything                  | cloud is fine; if anonymised | -
        is the public cloud ok?                                        | anything                  | the public cloud ok | -
        not confidential                                               | anything                  | not confidential | -
        no need to stay local                                          | anything                  | no need to stay local | -
        not confidential, public cloud is fine                         | privacy public            | not confidential | -
        cloud is fine, but the patient data must stay local            | privacy controlled        | cloud is fine | -
        our partners are ok. The cloud is fine.                        | privacy partner           | - | partner is taken
        the cloud is fine. It is confidential.                         | privacy controlled        | - | controlled is taken
        our point cloud                                                | anything                  | point cloud | -
        what is the local time                                         | anything                  | local time | -
        it's ok to use the cloud                                       | privacy public            | - | -
        it's not ok to use the cloud                                   | privacy controlled        | - | -
        no patient data may leave                                      | privacy controlled        | no; data; leave | -
        no patient data, the cloud is fine                             | privacy public            | no patient data | -
        partners are ok, but nothing confidential may leave            | privacy controlled        | partners are ok; nothing; leave | -
        # Urgency and batch.
        not urgent                                                     | anything                  | not urgent | -
        urgent, no rush                                                | anything                  | - | neither is taken
        batch size 4                                                   | anything                  | batch size 4 | -
        a batch of 4 images                                            | anything                  | batch; 4 images | -
        nobody is waiting                                              | anything                  | nobody; waiting | -
        I'm not waiting                                                | anything                  | not waiting | -
        overnight, but I'm waiting                                     | anything                  | - | neither is taken
        """)
    void trap(String sentence, String asks, String notUnderstood, String contradictions) {
        check(sentence, asks, notUnderstood, contradictions);
    }

    /** What permits nothing asks for nothing weaker than the strictest, and its words are reported. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Generate the public welcome banner",
                "Draft the partner welcome letter, 8 GB",
                "The public is permitted to see the render",
                "paint a sky where the clouds are fine",
                "It is forbidden that the cloud is ok",
                "prohibit: public cloud ok",
                "I doubt the cloud is fine",
                "Others may use the cloud",
                "we seldom can use the cloud",
                "Cloud is fine, NOT",
                "The cloud is fine, NOT",
                "The cloud is ok (no)",
                "The cloud is fine for the demo, never for this job",
                "The cloud is fine for marketing. This one must not go there.",
                "Public ok\n\nBut not for this one",
                "The public cloud is ok\n\nBut not for this one",
                "We don`t believe the cloud is fine",
                "You can\u02bct say the cloud is fine",
                "You can\u00b4t say the cloud is fine",
                "You can\u2018t say the cloud is fine",
                "You can\uff07t say the cloud is fine",
                "You ca\u00adn't, the cloud is fine",
                "That is n\u043et so, the cloud is fine",
                "We don&#39;t think so. The cloud is fine",
                "They say the cloud is fine",
                "is the cloud ok",
                "were the cloud fine, we could wait",
                "For the demo, the cloud is fine",
                "The cloud is fine, for the demo",
                "The cloud is fine for somebody else",
                "The cloud is fine \u274c",
                "public is fine",
                "partners are ok",
                "Cloud is fine",
                "the cloud would be fine",
                "The cloud is fine. Just kidding.",
                "The cloud is fine. This one stays here.",
                "Trusted partners are ok unless it rains",
                "The cloud is a no-go. The cloud is fine.",
                "the cloud is fine; the partner data is a special case",
                "The cloud is ok. Wait, scrap that.",
                "the clouds are fine",
                "the partner is fine with the render"
            })
    void noPermission(String sentence) {
        InferredNeed inferred = NeedInference.standard().infer(sentence);

        assertThat(inferred.need().privacy().orElse(Trust.CONTROLLED))
                .as(inferred.explain())
                .isEqualTo(Trust.CONTROLLED);
        assertThat(inferred.need().privacy().isPresent() || !inferred.isClear())
                .as(inferred.explain())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "The cloud is fine.",
                "Needs 24 GB. It can go to the public cloud.",
                "our data may be sent to any public cloud",
                "It is ok to use the cloud, takes 2 hours, no later than 3 hours",
                "on CUDA, the cloud is fine for this job too",
                "Public cloud ok, 24 GB with ROCm"
            })
    void plainPermission(String sentence) {
        InferredNeed inferred = NeedInference.standard().infer(sentence);

        assertThat(inferred.need().privacy()).as(inferred.explain()).contains(Trust.PUBLIC);
    }

    private static void check(String sentence, String asks, String notUnderstood, String contradictions) {
        InferredNeed inferred = NeedInference.standard().infer(sentence);

        assertThat(asks(inferred)).as(inferred.explain()).isEqualTo(asks);
        assertThat(inferred.notUnderstood())
                .as(inferred.explain())
                .isEqualTo(notUnderstood.equals("-") ? List.of() : List.of(notUnderstood.split("; ", -1)));
        if (contradictions.equals("-")) {
            assertThat(inferred.contradictions()).isEmpty();
        } else {
            assertThat(inferred.contradictions()).singleElement().asString().contains(contradictions);
        }
    }

    private static String asks(InferredNeed inferred) {
        List<String> all = new ArrayList<>();
        String need = inferred.need().toString().substring("need of ".length());
        if (!need.equals("anything")) {
            all.add(need);
        }
        inferred.priority().ifPresent(priority -> all.add(priority.name().toLowerCase(Locale.ROOT)));
        inferred.mode().ifPresent(mode -> all.add(mode.name().toLowerCase(Locale.ROOT)));
        return all.isEmpty() ? "anything" : String.join(", ", all);
    }
}
