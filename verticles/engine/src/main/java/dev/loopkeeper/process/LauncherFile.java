package dev.loopkeeper.process;

import dev.loopkeeper.data.AtomicFile;
import dev.loopkeeper.step.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;

/**
 * A launcher as a file of the data folder, named by its content: an upgrade never changes one that still runs. Blocking,
 * thread-safe.
 */
final class LauncherFile {
    private static final int NAME_LENGTH = 16;

    private final byte[] content;
    private final boolean executable;
    private final Path file;

    private LauncherFile(Path data, byte[] content, String extension, boolean executable) {
        String name = "launcher-" + Sha256.hex(content).substring(0, NAME_LENGTH) + extension;
        this.content = content;
        this.executable = executable;
        this.file = data.resolve("launcher").resolve(name);
    }

    /** What a shell reads. */
    static LauncherFile script(Path data, String resource) throws IOException {
        return new LauncherFile(data, content(resource), ".sh", false);
    }

    /** What is executed itself. */
    static LauncherFile program(Path data, String resource) throws IOException {
        return new LauncherFile(data, content(resource), "", true);
    }

    /** Every time: one that was damaged or removed would launch nothing and blame the step's folder. */
    Path install() throws IOException {
        if (!isWhole()) {
            Path folder = file.getParent();
            Files.createDirectories(folder);
            Path draft = Files.createTempFile(folder, "launcher", ".tmp");
            Files.write(draft, content);
            if (executable) {
                Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rwx------"));
            }
            AtomicFile.publish(draft, file);
        }
        return file;
    }

    private boolean isWhole() throws IOException {
        return Files.isRegularFile(file)
                && (!executable || Files.isExecutable(file))
                && Arrays.equals(Files.readAllBytes(file), content);
    }

    /** The resource of this name beside this class. */
    static byte[] content(String resource) throws IOException {
        try (InputStream stream = LauncherFile.class.getResourceAsStream(resource)) {
            if (stream == null) {
                throw new IOException("resource " + resource + " is missing");
            }
            return stream.readAllBytes();
        }
    }
}
