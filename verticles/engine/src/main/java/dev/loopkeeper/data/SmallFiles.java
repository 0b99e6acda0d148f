package dev.loopkeeper.data;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Port: how {@code /proc} and the notes of steps are read. Blocking, thread-safe. */
public interface SmallFiles {
    /** The operating system's. */
    SmallFiles REAL = new SmallFiles() {
        @Override
        public byte[] read(Path file) throws IOException {
            return Files.readAllBytes(file);
        }

        @Override
        public int read(String file, byte[] beginning) throws IOException {
            try (FileInputStream stream = new FileInputStream(file)) {
                return stream.read(beginning);
            }
        }
    };

    /** All of it. */
    byte[] read(Path file) throws IOException;

    /** So much of it as one read gives; answers with the number of bytes, -1 at the end. */
    int read(String file, byte[] beginning) throws IOException;
}
