package dev.loopkeeper.checkpoint;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.loopkeeper.json.Json;

/** {@link Json} that writes and reads manifests in their recorded form. */
final class CheckpointMapper {
    /** Thread-safe, never reconfigured. */
    static final JsonMapper MAPPER =
            Json.MAPPER.rebuild().addModule(ManifestJson.module()).build();

    private CheckpointMapper() {}
}
