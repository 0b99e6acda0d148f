package dev.loopkeeper.retention;

import com.fasterxml.jackson.core.type.TypeReference;
import dev.loopkeeper.data.AtomicFile;
import dev.loopkeeper.data.DataFolderException;
import dev.loopkeeper.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * {@code <data>/unfinished.json}, a list of run ids: runs that are being removed or imported. The store
 * decides: the folder of a run that it lacks is removed. Blocks.
 */
final class UnfinishedRuns {
    private static final String NAME = "unfinished.json";

    private final Path file;

    UnfinishedRuns(Path dataFolder) {
        this.file = dataFolder.resolve(NAME);
    }

    /** Durable before anything of these runs is touched. */
    void write(List<UnfinishedRun> runs) {
        try {
            AtomicFile.replaceDurably(file, Json.MAPPER.writeValueAsString(runs) + "\n");
        } catch (IOException refused) {
            throw refusal("cannot be written", "Check the rights and the free space of this disk.", refused);
        }
    }

    List<UnfinishedRun> read() {
        try {
            return Files.exists(file)
                    ? Json.MAPPER.readValue(Files.readString(file), new TypeReference<List<UnfinishedRun>>() {})
                    : List.of();
        } catch (IOException unreadable) {
            throw refusal(
                    "cannot be read", "Move the file aside; folders of removed runs may then remain.", unreadable);
        }
    }

    void clear() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException refused) {
            throw refusal("cannot be removed", "Check the permissions of the file.", refused);
        }
    }

    private DataFolderException refusal(String what, String remedy, IOException cause) {
        return new DataFolderException(file + " " + what + ": " + cause + ". " + remedy, cause);
    }
}
