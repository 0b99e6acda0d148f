package dev.loopkeeper.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.manifest.Manifest;

/**
 * What a run is to do, fixed at its creation.
 *
 * @param document the manifest as it was given, items and overrides in place
 * @param manifest the same as it was meant when the run was created, defaults included
 * @param workspace absolute path
 * @param baseDir absolute path of the manifest's folder
 */
public record Plan(JsonNode document, Manifest manifest, String workspace, String baseDir) {}
