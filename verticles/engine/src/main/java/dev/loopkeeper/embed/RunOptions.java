package dev.loopkeeper.embed;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How a manifest is submitted. Immutable: {@code RunOptions.DEFAULTS.workspace(folder).variable("TARGET", "main")}.
 *
 * @param workspace outranks the manifest's; absent: the manifest's, else the folder of the manifest file, for a text
 *     the current folder
 * @param variables outrank {@code vars} of the manifest, name by name
 * @param overrides path to YAML value, e.g. {@code phases.build.loop.maxIterations} to {@code 5}, laid over the manifest
 * @param runId the wished id; absent: one is made of the manifest's name, the time and 4 letters or digits
 * @param start whether to start at once, the default; else the run waits as {@code queued} for a resume
 * @param idempotencyKey a repeated key answers with the run that it made, and refuses another manifest
 */
public record RunOptions(
        Optional<Path> workspace,
        Map<String, String> variables,
        Map<String, String> overrides,
        Optional<String> runId,
        boolean start,
        Optional<String> idempotencyKey) {
    /** The manifest as it is written, started at once. */
    public static final RunOptions DEFAULTS =
            new RunOptions(Optional.empty(), Map.of(), Map.of(), Optional.empty(), true, Optional.empty());

    /** The same in this folder; a relative one is looked for in the current folder. */
    public RunOptions workspace(Path folder) {
        return new RunOptions(Optional.of(folder), variables, overrides, runId, start, idempotencyKey);
    }

    /** The same with one more value for templates. */
    public RunOptions variable(String name, String value) {
        return new RunOptions(workspace, with(variables, name, value), overrides, runId, start, idempotencyKey);
    }

    /** The same with one more value laid over the manifest. */
    public RunOptions override(String path, String yaml) {
        return new RunOptions(workspace, variables, with(overrides, path, yaml), runId, start, idempotencyKey);
    }

    /** The same with this id, of letters, digits, {@code .}, {@code _} and {@code -}, at most 128. */
    public RunOptions runId(String id) {
        return new RunOptions(workspace, variables, overrides, Optional.of(id), start, idempotencyKey);
    }

    /** The same, but the run waits for a resume. */
    public RunOptions queued() {
        return new RunOptions(workspace, variables, overrides, runId, false, idempotencyKey);
    }

    /** The same, safe to submit again: a second time answers with the run of the first. */
    public RunOptions idempotencyKey(String key) {
        return new RunOptions(workspace, variables, overrides, runId, start, Optional.of(key));
    }

    private static Map<String, String> with(Map<String, String> map, String key, String value) {
        Map<String, String> more = new LinkedHashMap<>(map);
        more.put(key, value);
        return more;
    }
}
