package dev.loopkeeper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Stream;

/** A folder that is made once for each JVM and copied to each test: a repository takes six processes of git to make. */
public final class PreparedFolder {
    /** Fills a new folder. */
    public interface Making {
        void fill(Path folder) throws IOException;
    }

    private final Making making;
    private Path made;

    public PreparedFolder(Making making) {
        this.making = making;
    }

    /** Into this folder, which is there. */
    public synchronized void copyTo(Path folder) throws IOException {
        if (made == null) {
            Path fresh = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "prepared");
            making.fill(fresh);
            made = fresh;
        }
        try (Stream<Path> all = Files.walk(made)) {
            for (Path each : all.skip(1).toList()) {
                Path unused =
                        Files.copy(each, folder.resolve(made.relativize(each)), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }
}
