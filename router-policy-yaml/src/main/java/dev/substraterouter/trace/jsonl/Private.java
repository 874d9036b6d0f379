package dev.substraterouter.trace.jsonl;

import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** How files and directories are made that only their owner may read, since traces hold identities; elsewhere as the system makes them. */
final class Private {
    private static final FileAttribute<?>[] NONE = {};

    private Private() {}

    /** For a file near this place. */
    static FileAttribute<?>[] file(Path near) {
        return of(near, "rw-------");
    }

    /** For a directory near this place. */
    static FileAttribute<?>[] directory(Path near) {
        return of(near, "rwx------");
    }

    private static FileAttribute<?>[] of(Path near, String permissions) {
        boolean posix = near.getFileSystem().supportedFileAttributeViews().contains("posix");
        return posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : NONE;
    }
}
