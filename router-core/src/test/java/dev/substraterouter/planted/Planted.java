package dev.substraterouter.planted;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.SubstrateRouter;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** The library with a bug in it: loads the library and its tests anew, the changed classes first. */
public final class Planted extends URLClassLoader {
    private static final Path SOURCES = Path.of("src", "main", "java");
    private static final String OURS = "dev.substraterouter.";

    private Planted(Path changed) throws IOException {
        super(
                new URL[] {changed.toUri().toURL(), place(SubstrateRouter.class), place(Planted.class)},
                Planted.class.getClassLoader());
    }

    /**
     * With a bug.
     *
     * @param folder where the changed classes go
     */
    public static Planted with(Bug bug, Path folder) throws IOException {
        String source = Files.readString(SOURCES.resolve(bug.file()));
        assertThat(source).as(bug.file()).containsOnlyOnce(bug.text());
        Path changed = folder.resolve(Path.of(bug.file()).getFileName().toString());
        Files.writeString(changed, source.replace(bug.text(), bug.instead()));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        int result = compiler.run(
                null,
                null,
                null,
                "-proc:none",
                "-nowarn",
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                folder.toString(),
                changed.toString());
        assertThat(result).as("compiling %s with %s", bug.file(), bug.name()).isZero();
        return new Planted(folder);
    }

    private static URL place(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation();
    }

    @Override
    public Class<?> loadClass(String name) throws ClassNotFoundException {
        return loadClass(name, false);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            if (known != null) {
                return known;
            }
            return name.startsWith(OURS) ? findClass(name) : super.loadClass(name, resolve);
        }
    }
}
