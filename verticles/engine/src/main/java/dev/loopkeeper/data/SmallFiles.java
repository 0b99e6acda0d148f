package dev.loopkeeper.data;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Port: reads small files, those of {@code /proc} and the records of steps. Blocking, thread-safe. */
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

    /** Reads the complete file. */
    byte[] read(Path file) throws IOException;

    /** Reads as much as one read returns; returns the number of bytes, -1 at the end. */
    int read(String file, byte[] beginning) throws IOException;
}
