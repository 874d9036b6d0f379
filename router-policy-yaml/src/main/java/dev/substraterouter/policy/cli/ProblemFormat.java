package dev.substraterouter.policy.cli;

import dev.substraterouter.policy.PolicyProblem;
import dev.substraterouter.policy.cli.text.Json;
import dev.substraterouter.policy.cli.text.Numbers;
import dev.substraterouter.policy.cli.text.Visible;
import java.util.List;
import java.util.stream.Collectors;

/** How problems are told; the constants are the words of the command line. */
enum ProblemFormat {
    /** For people: as compilers tell it, with the line and a caret, and a count at the end. */
    text {
        @Override
        String of(List<Problem> problems, int files) {
            return problems.stream().map(ProblemFormat::withSource).collect(Collectors.joining())
                    + count(problems, files) + "\n";
        }
    },
    /** For programs: one array of objects. */
    json {
        @Override
        String of(List<Problem> problems, int files) {
            return Json.array(problems, ProblemFormat::fields) + "\n";
        }
    },
    /** For workflows of GitHub: a command each, which marks the line in a pull request. */
    github {
        @Override
        String of(List<Problem> problems, int files) {
            return problems.stream().map(ProblemFormat::annotation).collect(Collectors.joining());
        }
    };

    /**
     * The text of all problems, with a line break at its end unless it is empty.
     *
     * @param problems the problems, in the order of the files
     * @param files how many files were checked
     */
    abstract String of(List<Problem> problems, int files);

    private static String withSource(Problem each) {
        PolicyProblem problem = each.problem();
        String place = each.hasPlace() ? ":" + problem.line() + ":" + problem.column() : "";
        String head =
                each.file() + place + ": " + each.severity() + ": " + problem.message() + " [" + problem.code() + "]";
        return Visible.of(head) + "\n"
                + each.source().map(lines -> lines + "\n").orElse("");
    }

    private static String count(List<Problem> problems, int files) {
        long errors = problems.stream().filter(each -> each.problem().isError()).count();
        return Numbers.counted(errors, "error") + ", " + Numbers.counted(problems.size() - errors, "warning") + " in "
                + Numbers.counted(files, "file");
    }

    private static void fields(Json json, Problem each) {
        PolicyProblem problem = each.problem();
        json.text("file", each.file().toString());
        if (each.hasPlace()) {
            json.number("line", problem.line()).number("column", problem.column());
        }
        json.text("severity", each.severity()).text("code", problem.code());
        json.text("path", problem.path()).text("message", problem.message());
    }

    private static String annotation(Problem each) {
        PolicyProblem problem = each.problem();
        String place = each.hasPlace() ? ",line=" + problem.line() + ",col=" + problem.column() : "";
        return "::" + each.severity() + " file=" + property(each.file().toString()) + place + ",title="
                + property(problem.code()) + "::" + data(problem.message()) + "\n";
    }

    private static String property(String value) {
        return data(value).replace(":", "%3A").replace(",", "%2C");
    }

    /** Line breaks are escaped as the workflow reads them; what else could move a cursor, as everywhere. */
    private static String data(String value) {
        return value.replace("%", "%25").lines().map(Visible::of).collect(Collectors.joining("%0A"));
    }
}
