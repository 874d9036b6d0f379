package dev.substraterouter.examples.gateway.control;

import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PolicyException;
import dev.substraterouter.policy.PolicyProblem;
import dev.substraterouter.policy.yaml.YamlPolicy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Shows the policy in force and puts another one there. Thread-safe. */
final class PolicyAnswers {
    private final SubstrateRouter router;
    private final Path file;

    PolicyAnswers(SubstrateRouter router, Path file) {
        this.router = router;
        this.file = file;
    }

    void show(Call call) throws IOException {
        Policy policy = router.policy();
        List<PolicyProblem> rejected =
                router.rejectedPolicy().map(PolicyException::problems).orElse(List.of());
        call.answer(
                200, new Shown(policy.revision(), file.toString(), YamlPolicy.write(policy), List.copyOf(rejected)));
    }

    /** The file is left as it is: what is put in force here lasts until the file changes or the gateway starts again. */
    void replace(Call call) throws IOException, ProblemException {
        String yaml = call.body();
        try {
            router.reload(YamlPolicy.parse(yaml));
        } catch (PolicyException bad) {
            call.answer(422, "application/problem+json", ControlJson.bytes(BadPolicy.of(bad)));
            return;
        } catch (IllegalStateException closed) {
            throw new ProblemException(409, "The gateway is going down", String.valueOf(closed.getMessage()));
        }
        call.answer(200, new Replaced(router.policy().revision()));
    }

    /**
     * The policy.
     *
     * @param yaml the policy in force, as a file would have it
     * @param rejected what is wrong with the newest policy that was turned down since; empty: none was
     */
    record Shown(long revision, String file, String yaml, List<PolicyProblem> rejected) {}

    /** The revision that is in force now. */
    record Replaced(long revision) {}

    /**
     * Why a policy was not taken: a problem of RFC 9457 with everything that is wrong.
     *
     * @param problems each with its path, line and column
     */
    record BadPolicy(String type, String title, int status, String detail, List<PolicyProblem> problems) {
        static BadPolicy of(PolicyException bad) {
            return new BadPolicy(
                    "urn:substrate-router:bad-policy",
                    "The policy cannot be used; the one in force stays",
                    422,
                    String.valueOf(bad.getMessage()),
                    bad.problems());
        }
    }
}
