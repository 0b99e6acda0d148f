package dev.loopkeeper.embed;

import dev.loopkeeper.step.TraceContext;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Configures a submission. Immutable: {@code RunOptions.DEFAULTS.workspace(folder).variable("TARGET", "main")}.
 *
 * @param workspace overrides the workspace of the manifest; absent: the manifest's own, else the folder of its file, else
 *     the current folder
 * @param variables override {@code vars} of the manifest, name by name
 * @param overrides path to YAML value, e.g. {@code phases.build.loop.maxIterations} to {@code 5}; override values of
 *     the manifest
 * @param runId the id of the run; absent: generated from the manifest's name, the time and 4 letters or digits
 * @param start whether to start at once, the default; else the run waits as {@code queued} for a resume
 * @param idempotencyKey a known key returns its run, or is refused if the manifest differs
 * @param startAt when to start; absent or past: at once
 * @param trace the position in a trace within which agents of the first execution are; absent: a new trace
 */
public record RunOptions(
        Optional<Path> workspace,
        Map<String, String> variables,
        Map<String, String> overrides,
        Optional<String> runId,
        boolean start,
        Optional<String> idempotencyKey,
        Optional<Instant> startAt,
        Optional<TraceContext> trace) {
    /** Submits the manifest as it is written, and starts the run at once. */
    public static final RunOptions DEFAULTS = new RunOptions(
            Optional.empty(),
            Map.of(),
            Map.of(),
            Optional.empty(),
            true,
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    /** Sets the workspace; a relative path is resolved against the current folder. */
    public RunOptions workspace(Path folder) {
        return new RunOptions(Optional.of(folder), variables, overrides, runId, start, idempotencyKey, startAt, trace);
    }

    /** Adds a value for templates. */
    public RunOptions variable(String name, String value) {
        return new RunOptions(
                workspace, with(variables, name, value), overrides, runId, start, idempotencyKey, startAt, trace);
    }

    /** Adds a value that overrides the manifest. */
    public RunOptions override(String path, String yaml) {
        return new RunOptions(
                workspace, variables, with(overrides, path, yaml), runId, start, idempotencyKey, startAt, trace);
    }

    /** Sets the id: letters, digits, {@code .}, {@code _} and {@code -}, at most 128. */
    public RunOptions runId(String id) {
        return new RunOptions(workspace, variables, overrides, Optional.of(id), start, idempotencyKey, startAt, trace);
    }

    /** Makes the run wait for a resume. */
    public RunOptions queued() {
        return new RunOptions(workspace, variables, overrides, runId, false, idempotencyKey, startAt, trace);
    }

    /** Makes the run wait as {@code queued} until this time; it starts then, also after a restart. */
    public RunOptions startAt(Instant time) {
        return new RunOptions(workspace, variables, overrides, runId, start, idempotencyKey, Optional.of(time), trace);
    }

    /** Makes it safe to submit again: a repeated submission returns the first run. */
    public RunOptions idempotencyKey(String key) {
        return new RunOptions(workspace, variables, overrides, runId, start, Optional.of(key), startAt, trace);
    }

    /** Puts the run into the caller's trace, by W3C headers; an invalid header begins a new trace. */
    public RunOptions trace(String traceparent) {
        Optional<TraceContext> parent = TraceContext.read(Optional.of(traceparent), Optional.empty());
        return new RunOptions(workspace, variables, overrides, runId, start, idempotencyKey, startAt, parent);
    }

    private static Map<String, String> with(Map<String, String> map, String key, String value) {
        Map<String, String> more = new LinkedHashMap<>(map);
        more.put(key, value);
        return more;
    }
}
