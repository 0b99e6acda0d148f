package dev.loopkeeper.signal;

import dev.loopkeeper.contract.SignalChannels.SignalLocation;
import dev.loopkeeper.data.LockedFiles;
import dev.loopkeeper.data.OwnFolder;
import dev.loopkeeper.data.StepFiles;
import dev.loopkeeper.verdict.SignalReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * Prepares and reads one signal file. Opens only regular files within the workspace: a named pipe would hang its
 * reader, a device has no end. Blocking.
 *
 * @param workspace with symbolic links resolved
 * @param path absolute, links not resolved
 */
record SignalFile(Path workspace, Path path) {
    /**
     * Content of the file.
     *
     * @param bytes absent without a file, or if it cannot be read
     * @param changedAt by the clock of its file system
     * @param obstacle why it cannot be read
     */
    record Found(Optional<byte[]> bytes, Optional<Instant> changedAt, Optional<String> obstacle) {
        static Found nothing() {
            return new Found(Optional.empty(), Optional.empty(), Optional.empty());
        }

        static Found obstacle(String why) {
            return new Found(Optional.empty(), Optional.empty(), Optional.of(why));
        }
    }

    /** Fails with {@link NoSuchFileException} when there is no such workspace. */
    static SignalFile at(SignalLocation location) throws IOException {
        Path workspace = Path.of(location.workspace());
        return new SignalFile(
                workspace.toRealPath(), workspace.resolve(location.file()).normalize());
    }

    /** Makes its folder; refuses a path outside the workspace or one that is a folder. */
    void prepareFolder() {
        try {
            requireWithin(existingAncestor());
            if (!Files.isDirectory(path.getParent())) {
                Files.createDirectories(path.getParent());
                requireWithin(path.getParent().toRealPath());
            }
        } catch (IOException refused) {
            throw BlockedPath.withoutFolder(path, refused);
        }
        if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            throw BlockedPath.byFolder(path);
        }
        if (LockedFiles.include(path)) {
            throw new UnusableSignalException(
                    "signal file " + path + " belongs to Loopkeeper's event store; declare another");
        }
    }

    /**
     * Keeps agents that commit from adding {@code .loopkeeper} of the workspace, or one that the signal file lies in. A
     * {@code .gitignore} that exists stays as it is.
     */
    void ignoreOwnFolders() {
        OwnFolder.ignore(workspace.resolve(OwnFolder.NAME), workspace);
        for (Path folder = path.getParent(); folder != null; folder = folder.getParent()) {
            if (folder.endsWith(OwnFolder.NAME)) {
                OwnFolder.ignore(folder, workspace);
            }
        }
    }

    /**
     * Returns the time in this folder by the clock of its file system. Files that are written there later have this
     * time or a later one.
     */
    static Instant time(Path folder) throws IOException {
        Path probe = Files.createTempFile(folder, ".loopkeeper-", ".tmp");
        try {
            return Files.getLastModifiedTime(probe).toInstant();
        } finally {
            Files.delete(probe);
        }
    }

    /** Moves an existing file aside; of a link, the link itself. A process may remove the file at any time. */
    void moveAside(StepFiles step, String name) throws IOException {
        try {
            if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                moveTo(step, name);
            }
        } catch (NoSuchFileException gone) {
            // A process has removed it.
        }
    }

    private void moveTo(StepFiles step, String name) throws IOException {
        Path target = step.path().resolve(name);
        try {
            step.make();
            Files.move(path, target, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException elsewhere) {
            // A pipe or device cannot be moved to another file system; beside itself it always can.
            moveBeside();
        }
    }

    private void moveBeside() throws NoSuchFileException {
        Path beside = path.resolveSibling(path.getFileName() + ".leftover");
        try {
            Files.move(path, beside, StandardCopyOption.REPLACE_EXISTING);
        } catch (NoSuchFileException gone) {
            throw gone;
        } catch (IOException refused) {
            throw BlockedPath.byOldFile(path, refused);
        }
    }

    /**
     * Reads at most {@link SignalReader#MAX_BYTES} + 1 bytes. Fails if the system refuses; another read may succeed.
     */
    Found read() throws IOException {
        try {
            Path real = path.toRealPath();
            if (!real.startsWith(workspace)) {
                return Found.obstacle("signal file " + path + " leads out of the workspace to " + real);
            }
            if (!Files.isRegularFile(real, LinkOption.NOFOLLOW_LINKS)) {
                return Found.obstacle("signal file " + path + " is not a regular file");
            }
            if (LockedFiles.include(real)) {
                return Found.obstacle("signal file " + path + " belongs to Loopkeeper's event store");
            }
            byte[] content = content(real);
            Instant changedAt = Files.getLastModifiedTime(real).toInstant();
            return new Found(Optional.of(content), Optional.of(changedAt), Optional.empty());
        } catch (NoSuchFileException absent) {
            return Found.nothing();
        } catch (IOException unreadable) {
            if (mayPass(unreadable)) {
                throw unreadable;
            }
            return Found.obstacle(
                    unreadable instanceof AccessDeniedException
                            ? BlockedPath.unreadable(path)
                            : "signal file " + path + " cannot be read: " + unreadable.getMessage());
        }
    }

    /**
     * Whether the failure may be transient: not if an agent removed permissions, made a cycle of links or replaced the
     * folder.
     */
    private boolean mayPass(IOException unreadable) {
        return !(unreadable instanceof AccessDeniedException)
                && Files.isDirectory(path.getParent())
                && !Files.isSymbolicLink(path);
    }

    private static byte[] content(Path real) throws IOException {
        Set<OpenOption> options = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        try (InputStream bytes = Channels.newInputStream(Files.newByteChannel(real, options))) {
            return bytes.readNBytes(SignalReader.MAX_BYTES + 1);
        }
    }

    private Path existingAncestor() throws IOException {
        Path ancestor = path.getParent();
        while (!Files.exists(ancestor)) {
            ancestor = ancestor.getParent();
        }
        return ancestor.toRealPath();
    }

    private void requireWithin(Path real) {
        if (!real.startsWith(workspace)) {
            throw new UnusableSignalException("signal file " + path + " leads out of the workspace " + workspace
                    + " to " + real + "; declare a path inside the workspace");
        }
    }
}
