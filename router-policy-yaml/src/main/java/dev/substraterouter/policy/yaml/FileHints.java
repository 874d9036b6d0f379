package dev.substraterouter.policy.yaml;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Waits until a file may have changed. Only ever a hint: where the system has no watcher, or no more of them, or the folder is not there, the
 * time is simply waited for. Waited on by one thread; closed by any.
 *
 * <p>Watched is the folder, which also sees a file that is replaced, and the link that is swapped when the folder is a mounted config map.
 * What a link elsewhere leads to may change unseen.
 */
final class FileHints {
    private final Path folder;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile @Nullable WatchService service;
    private @Nullable WatchKey key; // of the thread that waits

    FileHints(Path file) {
        Path parent = file.toAbsolutePath().getParent();
        folder = parent == null ? file.toAbsolutePath() : parent;
    }

    /** Begins to watch. Before, and after {@link #close}, no handle of the system is held. */
    void open() {
        try {
            service = folder.getFileSystem().newWatchService();
        } catch (IOException | UnsupportedOperationException e) {
            Told.debug("no watcher for " + folder + ": changes are found by looking alone", e);
        }
        if (isClosed()) {
            closeService(); // whoever closed meanwhile may not have seen it
        }
    }

    boolean isClosed() {
        return closed.getCount() == 0;
    }

    /** Waits for a time, at most until this is closed; hints meanwhile are for the next to wait. */
    void pause(long nanos) throws InterruptedException {
        closed.await(nanos, TimeUnit.NANOSECONDS);
    }

    /** Waits for a hint, at most for a time, and at most until this is closed; true when there was one. */
    boolean await(long nanos) throws InterruptedException {
        WatchService watcher = service;
        if (watcher == null) {
            pause(nanos);
            return false;
        }
        try {
            return await(watcher, nanos);
        } catch (ClosedWatchServiceException e) {
            pause(nanos); // ends at once where it was closed by us
            return false;
        }
    }

    private boolean await(WatchService watcher, long nanos) throws InterruptedException {
        WatchKey hint = watcher.poll(nanos, TimeUnit.NANOSECONDS);
        if (hint == null) {
            return false;
        }
        hint.pollEvents(); // which they are does not matter
        hint.reset();
        return true;
    }

    /**
     * Hints of what happens from now on; to be called before each look, so that no change falls between the look and the wait. Registers
     * anew each time: the folder may have come, or be another one than before.
     */
    void renew() {
        WatchService watcher = service;
        if (watcher == null) {
            return;
        }
        try {
            WatchKey registered = folder.register(
                    watcher,
                    StandardWatchEventKinds.ENTRY_CREATE,
                    StandardWatchEventKinds.ENTRY_MODIFY,
                    StandardWatchEventKinds.ENTRY_DELETE);
            if (key != null && !key.equals(registered)) {
                key.cancel();
            }
            key = registered;
        } catch (IOException | RuntimeException e) { // closed meanwhile, or a file system that cannot do it
            Told.debug(folder + " cannot be watched now: changes are found by looking alone", e);
        }
    }

    /** Ends all waiting. Calling it again does nothing. */
    void close() {
        closed.countDown();
        closeService();
    }

    private void closeService() {
        WatchService watcher = service;
        if (watcher != null) {
            try {
                watcher.close();
            } catch (IOException e) {
                Told.debug("closing the watcher of " + folder, e);
            }
        }
    }
}
