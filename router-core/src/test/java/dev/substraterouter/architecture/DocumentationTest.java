package dev.substraterouter.architecture;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/**
 * Every type and method that a host can see says what it is. The Javadoc tool can only ask for that together with a tag
 * for each parameter and result, which would mostly repeat the first sentence.
 */
class DocumentationTest {

    private static final Path SOURCES = Path.of("src", "main", "java");
    private static final Path TESTKIT = Path.of("src", "test", "java", "dev", "substraterouter", "testkit");

    @Test
    void whatAHostSeesIsDocumented() throws IOException {
        assertThat(undocumented(sources(SOURCES))).isEmpty();
    }

    @Test
    void whatAHostsTestsSeeIsDocumented() throws IOException {
        assertThat(undocumented(sources(TESTKIT))).isEmpty();
    }

    private static List<Path> sources(Path folder) throws IOException {
        try (Stream<Path> found = Files.walk(folder)) {
            return found.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !folder.relativize(file).toString().contains("internal"))
                    .toList();
        }
    }

    private static List<String> undocumented(List<Path> files) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (var manager = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask)
                    compiler.getTask(null, manager, null, null, null, manager.getJavaFileObjectsFromPaths(files));
            Finder finder = new Finder(DocTrees.instance(task));
            for (CompilationUnitTree unit : task.parse()) {
                finder.scan(unit, null);
            }
            return finder.undocumented;
        }
    }

    /** Visits what is visible from outside, and only that. */
    private static final class Finder extends TreePathScanner<Void, Void> {

        private final DocTrees docs;
        private final List<String> undocumented = new ArrayList<>();

        Finder(DocTrees docs) {
            this.docs = docs;
        }

        @Override
        public Void visitClass(ClassTree type, Void unused) {
            if (!isVisible(type.getModifiers())) {
                return null;
            }
            check(type.getSimpleName().toString());
            return super.visitClass(type, unused);
        }

        @Override
        public Void visitMethod(MethodTree method, Void unused) {
            boolean overrides = method.getModifiers().getAnnotations().stream()
                    .anyMatch(annotation ->
                            annotation.getAnnotationType().toString().equals("Override"));
            if (isVisible(method.getModifiers()) && !overrides) {
                check(method.getName()
                        + method.getParameters().stream()
                                .map(parameter -> String.valueOf(parameter.getType()))
                                .collect(joining(", ", "(", ")")));
            }
            return null;
        }

        private boolean isVisible(ModifiersTree modifiers) {
            if (modifiers.getFlags().contains(Modifier.PRIVATE)) {
                return false;
            }
            return modifiers.getFlags().contains(Modifier.PUBLIC)
                    || modifiers.getFlags().contains(Modifier.PROTECTED)
                    || isMemberOfInterface();
        }

        private boolean isMemberOfInterface() {
            Tree parent = getCurrentPath().getParentPath().getLeaf();
            return parent.getKind() == Tree.Kind.INTERFACE || parent.getKind() == Tree.Kind.ANNOTATION_TYPE;
        }

        private void check(String name) {
            if (docs.getDocComment(getCurrentPath()) == null) {
                Path file = Path.of(
                        getCurrentPath().getCompilationUnit().getSourceFile().getName());
                undocumented.add(file + ": " + name);
            }
        }
    }
}
