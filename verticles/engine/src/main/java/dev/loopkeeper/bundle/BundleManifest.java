package dev.loopkeeper.bundle;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.checkpoint.CheckpointException;
import dev.loopkeeper.checkpoint.FormatSteps;
import dev.loopkeeper.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

/**
 * The entry {@code manifest.json} of a bundle: which run it holds, and every other entry with its length and checksum.
 *
 * @param sequence of the run's last event
 */
@JsonPropertyOrder("kind")
public record BundleManifest(
        int formatVersion,
        String runId,
        String name,
        String status,
        long sequence,
        Instant exportedAt,
        List<Entry> entries) {
    /** The name of the entry in the bundle. */
    static final String NAME = "manifest.json";

    private static final String KIND = "loopkeeper-run";
    static final FormatSteps FORMAT = new FormatSteps("a bundle", List.of());

    /** Returns the kind of file that the bundle is. */
    @JsonProperty
    public String kind() {
        return KIND;
    }

    /**
     * One entry.
     *
     * @param sha256 lower-case hexadecimal
     */
    public record Entry(String path, long bytes, String sha256) {}

    /** Fails with {@link BundleException} for an invalid manifest or a newer format. */
    static BundleManifest read(byte[] json) {
        return read(json, FORMAT);
    }

    static BundleManifest read(byte[] json, FormatSteps format) {
        try {
            JsonNode document = Json.MAPPER.readTree(new String(json, StandardCharsets.UTF_8));
            if (!document.path("kind").asText().equals(KIND)) {
                throw new BundleException("the file is not a bundle of a run");
            }
            BundleManifest manifest = Json.MAPPER.treeToValue(format.upgrade(document), BundleManifest.class);
            manifest.requireWhole();
            return manifest;
        } catch (JsonProcessingException malformed) {
            throw new BundleException(
                    "the manifest of the bundle is malformed: " + malformed.getOriginalMessage(), malformed);
        } catch (CheckpointException unknown) {
            throw new BundleException(unknown.getMessage(), unknown);
        }
    }

    private void requireWhole() {
        boolean whole = runId != null && name != null && status != null && entries != null;
        if (!whole || entries.stream().anyMatch(entry -> entry.path() == null || entry.sha256() == null)) {
            throw new BundleException("the manifest of the bundle is incomplete");
        }
    }
}
