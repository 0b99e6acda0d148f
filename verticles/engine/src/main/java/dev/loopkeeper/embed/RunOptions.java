package dev.loopkeeper.embed;

import dev.loopkeeper.step.TraceContext;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Configures a submission. Immutable: {@code RunOptions.DEFAULTS.workspace(folder).variable("TARGET", "main")}. */
public final class RunOptions {
    /** Submits the manifest as it is written, and starts the run at once. */
    public static final RunOptions DEFAULTS = new RunOptions(new Values(
            Optional.empty(),
            Map.of(),
            Map.of(),
            Optional.empty(),
            true,
            Optional.empty(),
            Optional.empty(),
            Optional.empty()));

    final Values values;

    private RunOptions(Values values) {
        this.values = values;
    }

    /**
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
    @RecordBuilder
    @RecordBuilder.Options(
            builderClassModifiers = {},
            enableWither = false)
    record Values(
            Optional<Path> workspace,
            Map<String, String> variables,
            Map<String, String> overrides,
            Optional<String> runId,
            boolean start,
            Optional<String> idempotencyKey,
            Optional<Instant> startAt,
            Optional<TraceContext> trace) {}

    private RunOptions with(UnaryOperator<RunOptionsValuesBuilder> change) {
        return new RunOptions(
                change.apply(RunOptionsValuesBuilder.builder(values)).build());
    }

    /** Sets the workspace; a relative path is resolved against the current folder. */
    public RunOptions workspace(Path folder) {
        return with(copy -> copy.workspace(Optional.of(folder)));
    }

    /** Adds a value for templates. */
    public RunOptions variable(String name, String value) {
        return with(copy -> copy.variables(with(values.variables, name, value)));
    }

    /** Adds a value that overrides the manifest. */
    public RunOptions override(String path, String yaml) {
        return with(copy -> copy.overrides(with(values.overrides, path, yaml)));
    }

    /** Sets the id: letters, digits, {@code .}, {@code _} and {@code -}, at most 128. */
    public RunOptions runId(String id) {
        return with(copy -> copy.runId(Optional.of(id)));
    }

    /** Makes the run wait for a resume. */
    public RunOptions queued() {
        return with(copy -> copy.start(false));
    }

    /** Makes the run wait as {@code queued} until this time; it starts then, also after a restart. */
    public RunOptions startAt(Instant time) {
        return with(copy -> copy.startAt(Optional.of(time)));
    }

    /** Makes it safe to submit again: a repeated submission returns the first run. */
    public RunOptions idempotencyKey(String key) {
        return with(copy -> copy.idempotencyKey(Optional.of(key)));
    }

    /** Puts the run into the caller's trace, by W3C headers; an invalid header begins a new trace. */
    public RunOptions trace(String traceparent) {
        return trace(traceparent, "");
    }

    /** Does the same with the {@code tracestate} of the caller, which agents get too. */
    public RunOptions trace(String traceparent, String tracestate) {
        return with(copy -> copy.trace(TraceContext.read(Optional.of(traceparent), Optional.of(tracestate))));
    }

    private static Map<String, String> with(Map<String, String> map, String key, String value) {
        Map<String, String> more = new LinkedHashMap<>(map);
        more.put(key, value);
        return more;
    }
}
