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
 * A program that agents or their launchers run, as a file named by its content: an upgrade never changes one that is in
 * use. Blocking, thread-safe.
 */
final class ProgramFile {
    private static final int NAME_LENGTH = 16;

    private final byte[] content;
    private final boolean executable;
    private final Path file;

    private ProgramFile(Path folder, String name, byte[] content, String extension, boolean executable) {
        String hash = Sha256.hex(content).substring(0, NAME_LENGTH);
        this.content = content;
        this.executable = executable;
        this.file = folder.resolve(name + "-" + hash + extension);
    }

    /** A script for a shell. */
    static ProgramFile script(Path data, String resource) throws IOException {
        return new ProgramFile(folder(data), "launcher", content(resource), ".sh", false);
    }

    /** An executable program. */
    static ProgramFile program(Path data, String resource) throws IOException {
        return program(folder(data), "launcher", content(resource));
    }

    /** The same in any folder. */
    static ProgramFile program(Path folder, String name, byte[] content) {
        return new ProgramFile(folder, name, content, "", true);
    }

    /** Returns the folder of the programs in a data folder. */
    static Path folder(Path data) {
        return data.resolve("launcher");
    }

    /** Checks the file each time, since a damaged or removed program would fail every launch. */
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
        try (InputStream stream = ProgramFile.class.getResourceAsStream(resource)) {
            if (stream == null) {
                throw new IOException("resource " + resource + " is missing");
            }
            return stream.readAllBytes();
        }
    }
}
