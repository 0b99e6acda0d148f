package dev.loopkeeper.notify;

import dev.loopkeeper.checkpoint.Json;
import dev.loopkeeper.store.AtomicFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code <data>/outbox.json}: what was not delivered yet when the runtime ended, however it ended. Blocking.
 *
 * <pre>{@code
 * {"formatVersion": 1, "position": 4711, "pending": [{"runId": "r", "sequence": 41, "notification": 0, "tries": 2}]}
 * }</pre>
 */
final class OutboxFile {
    private static final Logger LOG = LoggerFactory.getLogger(OutboxFile.class);
    private static final String NAME = "outbox.json";
    private static final int VERSION = 1;

    private final Path file;

    OutboxFile(Path data) {
        this.file = data.resolve(NAME);
    }

    /**
     * What is kept.
     *
     * @param position in the store's order; everything up to it was delivered, given up or is pending
     */
    record Content(int formatVersion, long position, List<Delivery> pending) {
        Content(long position, List<Delivery> pending) {
            this(VERSION, position, pending);
        }
    }

    /** Empty when there is none, or none that can be read, which is then kept aside. */
    Optional<Content> read() throws IOException {
        try {
            Content content = Json.MAPPER.readValue(Files.readString(file), Content.class);
            if (content.formatVersion() == VERSION && content.pending() != null) {
                return Optional.of(content);
            }
            return setAside("format " + content.formatVersion());
        } catch (NoSuchFileException first) {
            return Optional.empty();
        } catch (IOException damaged) {
            return setAside(damaged.getClass().getSimpleName());
        }
    }

    private Optional<Content> setAside(String why) throws IOException {
        Path aside = file.resolveSibling(NAME + ".damaged");
        Files.move(file, aside, StandardCopyOption.REPLACE_EXISTING);
        LOG.error("{} cannot be read ({}) and is kept as {}; what it still owed is not sent", file, why, aside);
        return Optional.empty();
    }

    Void write(Content content) throws IOException {
        AtomicFile.replace(file, file.resolveSibling("." + NAME + ".new"), Json.MAPPER.writeValueAsString(content));
        return null;
    }
}
