package dev.substraterouter.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.lang.conditions.ArchConditions.be;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.toCollection;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.time.Clock;
import java.time.temporal.Temporal;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Keeps the arrows: rooms stand on the rooms of the floors below, never on one another, and nobody looks up. Rooms that
 * do not exist yet pass; a package that is in no room does not, so that a new one has to be given its place here.
 */
class ArchitectureTest {

    private static final String ROOT = "dev.substraterouter";

    /** The floors, top first. A room may use every floor below its own; rooms of one floor do not know each other. */
    private static final List<Set<String>> FLOORS = List.of(
            Set.of("simulate", "verify", "batch", "metrics"),
            Set.of("(root)"),
            Set.of("internal.decide"),
            Set.of("internal.plan", "internal.gate", "internal.admission"),
            Set.of("policy", "status", "trace", "infer"),
            Set.of("model", "time"));

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(new ImportOption.DoNotIncludeJars())
            .importPackages(ROOT);

    static Stream<String> rooms() {
        return FLOORS.stream().flatMap(Set::stream).sorted();
    }

    @ParameterizedTest
    @MethodSource("rooms")
    void aRoomUsesOnlyTheFloorsBelow(String room) {
        Set<String> allowed = below(room);
        classes()
                .that(are(livingIn(Set.of(room))))
                .should()
                .onlyDependOnClassesThat(
                        are(foreign().or(livingIn(Set.of(room))).or(livingIn(allowed))))
                .because(room + " may use " + (allowed.isEmpty() ? "only the JDK" : allowed))
                .allowEmptyShould(true)
                .check(CLASSES);
    }

    @Test
    void everyClassLivesInARoom() {
        classes()
                .should(be(livingIn(rooms().collect(toCollection(TreeSet::new)))))
                .allowEmptyShould(true)
                .check(CLASSES);
    }

    @Test
    void noPackageIsPartOfACycle() {
        slices().assignedFrom(packages())
                .should()
                .beFreeOfCycles()
                .allowEmptyShould(true)
                .check(CLASSES);
    }

    /** A library must not leave anything behind on its host's threads. */
    @Test
    void nobodyKeepsThreadLocals() {
        noClasses()
                .should()
                .dependOnClassesThat(assignableTo(ThreadLocal.class))
                .allowEmptyShould(true)
                .check(CLASSES);
    }

    /** Time is injected. */
    @Test
    void onlyTimeReadsTheClock() {
        noClasses()
                .that(are(livingIn(Set.of("time")).negate()))
                .should()
                .accessTargetWhere(readsTheClock())
                .orShould()
                .callConstructor(Date.class)
                .allowEmptyShould(true)
                .check(CLASSES);
    }

    @Test
    void nobodySleeps() {
        noClasses()
                .should()
                .accessTargetWhere(callTo("Thread.sleep", Thread.class, "sleep"))
                .allowEmptyShould(true)
                .check(CLASSES);
    }

    /** The default executor of a future is a thread per task where there are few processors. */
    @Test
    void futuresRunOnANamedExecutor() {
        noClasses()
                .should()
                .accessTargetWhere(runsOnTheDefaultExecutor())
                .allowEmptyShould(true)
                .check(CLASSES);
    }

    @Test
    void nobodyPrints() {
        NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.allowEmptyShould(true).check(CLASSES);
    }

    /** Log lines go to {@link System.Logger}. */
    @Test
    void nobodyBringsALogger() {
        NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING.allowEmptyShould(true).check(CLASSES);
    }

    private static Set<String> below(String room) {
        return FLOORS.stream()
                .dropWhile(floor -> !floor.contains(room))
                .skip(1)
                .flatMap(Set::stream)
                .collect(toCollection(TreeSet::new));
    }

    private static DescribedPredicate<JavaClass> livingIn(Set<String> rooms) {
        return describe("living in " + rooms, type -> rooms.contains(roomOf(type)));
    }

    private static DescribedPredicate<JavaClass> foreign() {
        return describe("foreign", type -> !isOurs(type.getBaseComponentType()));
    }

    private static boolean isOurs(JavaClass type) {
        return type.getPackageName().equals(ROOT) || type.getPackageName().startsWith(ROOT + ".");
    }

    /** The room a class lives in; a package below a room belongs to it; the bare package name when there is none. */
    private static String roomOf(JavaClass type) {
        JavaClass element = type.getBaseComponentType();
        if (element.getPackageName().equals(ROOT)) {
            return "(root)";
        }
        String inside = isOurs(element) ? element.getPackageName().substring(ROOT.length() + 1) : "(foreign)";
        return rooms().filter(room -> inside.equals(room) || inside.startsWith(room + "."))
                .findFirst()
                .orElse(inside);
    }

    private static SliceAssignment packages() {
        return new SliceAssignment() {
            @Override
            public SliceIdentifier getIdentifierOf(JavaClass type) {
                return isOurs(type) ? SliceIdentifier.of(type.getPackageName()) : SliceIdentifier.ignore();
            }

            @Override
            public String getDescription() {
                return "packages";
            }
        };
    }

    private static DescribedPredicate<JavaAccess<?>> readsTheClock() {
        return describe("it reads the clock", access -> {
            JavaClass owner = access.getTargetOwner();
            String name = access.getTarget().getName();
            return (owner.isEquivalentTo(System.class)
                            && Set.of("nanoTime", "currentTimeMillis").contains(name))
                    || (owner.isAssignableTo(Temporal.class) && name.equals("now"))
                    || (owner.isAssignableTo(Clock.class) && (name.startsWith("system") || name.startsWith("tick")));
        });
    }

    private static DescribedPredicate<JavaAccess<?>> callTo(String description, Class<?> owner, String name) {
        return describe(
                description,
                access -> access.getTargetOwner().isEquivalentTo(owner)
                        && access.getTarget().getName().equals(name));
    }

    private static DescribedPredicate<JavaAccess<?>> runsOnTheDefaultExecutor() {
        return describe("it runs on the default executor", access -> {
            String signature = access.getTarget().getFullName();
            return access.getTargetOwner().isAssignableTo(CompletionStage.class)
                    && access.getTarget().getName().endsWith("Async")
                    && !signature.contains(Executor.class.getName());
        });
    }
}
