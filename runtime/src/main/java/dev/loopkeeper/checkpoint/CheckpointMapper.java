package dev.loopkeeper.checkpoint;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.loopkeeper.json.Json;

/** Holds a {@link Json} mapper that also writes and reads recorded manifests. */
final class CheckpointMapper {
    /** Thread-safe, never reconfigured. */
    static final JsonMapper MAPPER =
            Json.MAPPER.rebuild().addModule(ManifestJson.module()).build();

    private CheckpointMapper() {}
}
