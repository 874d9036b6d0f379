package dev.substraterouter.policy.yaml;

import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PolicyProblem;
import dev.substraterouter.verify.PolicyFinding;
import dev.substraterouter.verify.PolicyLint;
import dev.substraterouter.verify.PolicyVerifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What has been found about a planted fault, by whom.
 *
 * @param fault the fault
 * @param loader why the text is no policy
 * @param lint what is most probably not meant, and where
 * @param rules the rules that are broken: the owner's, and the verifier's own
 * @param contract what the contract says that is neither lint nor verifier, of a router in fair weather
 */
record Verdict(
        PlantedFault fault,
        List<PolicyProblem> loader,
        List<PolicyProblem> lint,
        List<String> rules,
        Optional<String> contract) {
    static Verdict of(PlantedFault fault) {
        List<Policy> read = new ArrayList<>();
        PolicyCheckup checkup = YamlPolicy.check(fault.planted(), policy -> {
            read.add(policy);
            return PolicyLint.lint(policy);
        });
        if (read.isEmpty()) {
            return new Verdict(fault, checkup.problems(), List.of(), List.of(), Optional.empty());
        }
        GoodPolicy good = GoodPolicy.of(fault);
        List<String> rules = PolicyVerifier.verify(read.get(0), good.rules()).stream()
                .map(PolicyFinding::rule)
                .toList();
        return new Verdict(fault, List.of(), checkup.problems(), rules, inFairWeather(good, read.get(0)));
    }

    private static Optional<String> inFairWeather(GoodPolicy good, Policy policy) {
        try {
            good.contract(policy).everyWorkloadIsServedWhenAllIsWell();
            return Optional.empty();
        } catch (AssertionError found) {
            return Optional.of(String.valueOf(found.getMessage()));
        } catch (Exception e) {
            throw new IllegalStateException("the policy is there already, and yet: " + e, e);
        }
    }

    boolean caught() {
        return !loader.isEmpty() || !lint.isEmpty() || !rules.isEmpty() || contract.isPresent();
    }

    /** Whether what is said is about this fault: where it is, or which intent it breaks. */
    boolean toThePoint() {
        boolean placed = Stream.concat(loader.stream(), lint.stream()).anyMatch(fault::isAt);
        boolean intended = rules.stream().anyMatch(rule -> rule.startsWith(fault.breaks() + ": "));
        return fault.place() != null || !loader.isEmpty() ? placed : intended;
    }

    /** A line of the table. */
    String line() {
        return "%-5s %-7s %-22s %-34s %-9s %s"
                .formatted(
                        fault.id(),
                        fault.in(),
                        codes(loader),
                        codes(lint),
                        contract.isPresent() ? "contract" : "-",
                        rules.isEmpty() ? "-" : String.join("; ", rules));
    }

    private static String codes(List<PolicyProblem> problems) {
        return problems.isEmpty()
                ? "-"
                : problems.stream().map(PolicyProblem::code).distinct().collect(Collectors.joining(", "));
    }

    @Override
    public String toString() {
        return fault.id() + " " + fault.what();
    }
}
