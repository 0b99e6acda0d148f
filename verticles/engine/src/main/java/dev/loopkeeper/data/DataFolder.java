package dev.loopkeeper.data;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The data folder of one Loopkeeper: its store, its runs and the owner's lock. Its methods block: they are for the
 * command line and for {@code executeBlocking}.
 *
 * @param path absolute
 */
public record DataFolder(Path path) {
    /** Folder below it for native libraries, which each owner unpacks again. */
    public static final String NATIVE = "native";

    private static final String NAME = "loopkeeper";

    /**
     * Returns {@code option}, else {@code $XDG_STATE_HOME/loopkeeper}, else
     * {@code $HOME/.local/state/loopkeeper}. Touches nothing. Fails with {@link DataFolderException} for what is no path.
     *
     * @param option what {@code --data} names
     * @param environment variables of this process
     */
    public static DataFolder resolve(Optional<String> option, Map<String, String> environment) {
        if (option.isPresent()) {
            return new DataFolder(path(option.get()));
        }
        String state = environment.getOrDefault("XDG_STATE_HOME", "");
        // The XDG rules want a relative value ignored.
        if (state.startsWith("/")) {
            return new DataFolder(path(state).resolve(NAME));
        }
        String home = environment.getOrDefault("HOME", System.getProperty("user.home"));
        return new DataFolder(path(home).resolve(".local/state").resolve(NAME));
    }

    /**
     * Makes the folder where it is missing, takes it from other users, and checks that files can be made in it. Fails with
     * {@link DataFolderException} that names the path in the way and the remedy.
     */
    public DataFolder prepare() {
        try {
            make();
            close();
            Path probe = Files.createTempFile(path, ".writable", null);
            Files.delete(probe);
            ignoreItself();
            return this;
        } catch (IOException refused) {
            throw new DataFolderException(
                    path + " cannot be written (" + refused + "). Make it writable for this user"
                            + " or name another folder with --data.",
                    refused);
        }
    }

    /**
     * Takes the lock of the folder, which must be prepared; see {@link OwnerLock}. Refuses a copy while the owner of the
     * original lives, since both would execute the same runs.
     */
    public OwnerLock own() {
        serverFile().ownerOfOriginal().ifPresent(this::refuseCopy);
        OwnerLock lock = OwnerLock.take(path);
        if (serverFile().isCopied()) {
            serverFile().remove();
        }
        NativeLibrary.ofProcess().unpackIn(path);
        return lock;
    }

    /** The pid that the owner has written, which may be dead by now; 0 when there is none, as in a copy of another folder. */
    public long writtenOwner() {
        return serverFile().isCopied() ? 0 : OwnerLock.writtenPid(path);
    }

    /** The file with the owner's address. */
    public ServerFile serverFile() {
        return new ServerFile(path);
    }

    private void refuseCopy(long owner) {
        throw new DataFolderException(
                path + " is a copy of a data folder whose runs are executed by process " + owner
                        + ". End that process first, or name another folder with --data. If the copy should execute"
                        + " them too, remove " + path.resolve(ServerFile.NAME) + ".",
                null);
    }

    private void make() throws IOException {
        if (Files.isDirectory(path)) {
            return;
        }
        refuseFileInTheWay();
        Files.createDirectories(path.getParent());
        try {
            Files.createDirectory(path, PosixFilePermissions.asFileAttribute(OwnerOnly.FOLDER));
        } catch (FileAlreadyExistsException raced) {
            // Another process created it first.
            if (!Files.isDirectory(path)) {
                throw raced;
            }
        }
    }

    /** An agent's {@code git add -A} would commit the keys in it, and {@code git clean -fd} would delete it. */
    private void ignoreItself() throws IOException {
        Path rules = path.resolve(".gitignore");
        if (Files.notExists(rules)) {
            OwnerOnly.write(rules, "*\n");
        }
    }

    /** Whether the folder lies below this workspace and in a git repository. */
    public boolean isInRepositoryOf(Path workspace) {
        for (Path above = path.getParent(); above != null; above = above.getParent()) {
            if (Files.exists(above.resolve(".git"))) {
                return path.startsWith(workspace);
            }
        }
        return false;
    }

    /** Whether other users may enter the folder, and so read what lies in it. */
    public boolean isOpenToOthers() throws IOException {
        return !OwnerOnly.FOLDER.containsAll(Files.getPosixFilePermissions(path));
    }

    /** Leaves the rights of a folder with other content, as a workspace or /tmp: more than our files depend on them. */
    private void close() throws IOException {
        if (!isOpenToOthers()) {
            return;
        }
        if (!holdsOnlyOurs()) {
            throw new DataFolderException(
                    path + " can be entered by other users and has files that are not of a data folder. Make it private"
                            + " with chmod 700, or name a folder of its own with --data.",
                    null);
        }
        try {
            Files.setPosixFilePermissions(path, OwnerOnly.FOLDER);
        } catch (IOException refused) {
            throw new DataFolderException(
                    path
                            + " can be entered by other users, who could read keys there, and its rights cannot be changed ("
                            + refused + "). Let its owner set them with chmod 700, or name a folder of this user with"
                            + " --data.",
                    refused);
        }
    }

    private boolean holdsOnlyOurs() throws IOException {
        try (Stream<Path> all = Files.list(path)) {
            return Files.exists(path.resolve(OwnerLock.NAME)) || all.findAny().isEmpty();
        }
    }

    private void refuseFileInTheWay() {
        for (Path part = path; part != null; part = part.getParent()) {
            if (Files.exists(part) && !Files.isDirectory(part)) {
                throw new DataFolderException(
                        part + " is a file where the data folder " + path
                                + " belongs. Move it away or name another folder with --data.",
                        null);
            }
        }
    }

    private static Path path(String text) {
        try {
            return Path.of(text).toAbsolutePath().normalize();
        } catch (InvalidPathException invalid) {
            String shown = text.replace("\0", "\\0");
            throw new DataFolderException(
                    shown + " is not a path (" + invalid.getReason() + "). Name another folder with --data.", invalid);
        }
    }
}
