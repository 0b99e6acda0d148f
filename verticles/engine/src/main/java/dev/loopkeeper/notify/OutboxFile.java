package dev.loopkeeper.notify;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.store.Outbox.OutboxCursor;
import dev.loopkeeper.store.Outbox.OutboxState;
import dev.loopkeeper.store.Outbox.OutboxTarget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Imports {@code <data>/outbox.json}, in which earlier versions stored pending deliveries; it is imported once, then
 * removed. Blocking.
 */
final class OutboxFile {
    private static final Logger LOG = LoggerFactory.getLogger(OutboxFile.class);
    private static final String NAME = "outbox.json";
    private static final int VERSION = 1;

    private final Path file;

    OutboxFile(Path data) {
        this.file = data.resolve(NAME);
    }

    /** Reads the file; empty when it is absent or unreadable. An unreadable file is moved aside. */
    Optional<OutboxState> read() throws IOException {
        try {
            JsonNode content = Json.MAPPER.readTree(Files.readString(file));
            if (content.path("formatVersion").asInt() == VERSION
                    && content.path("position").isIntegralNumber()
                    && content.path("pending").isArray()) {
                return Optional.of(
                        new OutboxState(content.path("position").asLong(), pending(content.path("pending"))));
            }
            return setAside("format " + content.path("formatVersion"));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        } catch (IOException damaged) {
            return setAside(damaged.getClass().getSimpleName());
        }
    }

    /** Returns one cursor per receiver, positioned before its oldest pending delivery. */
    private static List<OutboxCursor> pending(JsonNode pending) {
        Map<OutboxTarget, OutboxCursor> cursors = new LinkedHashMap<>();
        for (JsonNode delivery : pending) {
            long sequence = delivery.path("sequence").asLong();
            OutboxTarget target = new OutboxTarget(
                    delivery.path("runId").asText(),
                    delivery.path("notification").asInt());
            OutboxCursor one = new OutboxCursor(
                    target, sequence - 1, sequence, delivery.path("tries").asInt());
            cursors.merge(target, one, OutboxFile::both);
        }
        return List.copyOf(cursors.values());
    }

    private static OutboxCursor both(OutboxCursor one, OutboxCursor other) {
        OutboxCursor first = one.sequence() <= other.sequence() ? one : other;
        return new OutboxCursor(
                first.target(), first.sequence(), Math.max(one.newestPending(), other.newestPending()), first.tries());
    }

    private Optional<OutboxState> setAside(String why) throws IOException {
        Path aside = file.resolveSibling(NAME + ".damaged");
        Files.move(file, aside, StandardCopyOption.REPLACE_EXISTING);
        LOG.error("{} cannot be read ({}) and is kept as {}; its pending notifications are not sent", file, why, aside);
        return Optional.empty();
    }

    /** Removes the file, once its content is in the store. */
    boolean remove() throws IOException {
        return Files.deleteIfExists(file);
    }
}
