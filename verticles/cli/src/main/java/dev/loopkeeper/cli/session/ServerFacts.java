package dev.loopkeeper.cli.session;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.bundle.BundleException;
import dev.loopkeeper.bundle.BundleFile;
import dev.loopkeeper.bundle.BundleManifest;
import dev.loopkeeper.step.LaunchContext;
import dev.loopkeeper.store.AppliedPolicy;
import dev.loopkeeper.store.PolicyStore.StoredPolicy;
import dev.loopkeeper.store.StoreException;
import dev.loopkeeper.view.Caps;
import dev.loopkeeper.view.Diff;
import dev.loopkeeper.view.Explanation;
import dev.loopkeeper.view.IterationPage;
import dev.loopkeeper.view.IterationRow;
import dev.loopkeeper.view.Pools;
import dev.loopkeeper.view.Run;
import dev.loopkeeper.view.Runs;
import dev.loopkeeper.view.ScheduleStatus;
import dev.loopkeeper.view.ScheduleStatus.Schedules;
import dev.loopkeeper.view.Step;
import dev.loopkeeper.view.StepPage;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Reads facts from a server. */
public final class ServerFacts implements RunFacts {
    /** Time in which the server may gather a run before it sends the first byte. */
    private static final Duration EXPORTING = Duration.ofMinutes(30);
    /** The most runs that a server returns at once. */
    private static final int PAGE = 1000;

    private final Api api;

    ServerFacts(Api api) {
        this.api = api;
    }

    @Override
    public Document<Runs> list(Set<String> statuses, Optional<String> prefix, int limit) {
        String filter = (statuses.isEmpty() ? "" : "&status=" + Api.encoded(String.join(",", statuses)))
                + prefix.map(text -> "&prefix=" + Api.encoded(text)).orElse("");
        return Pages.runs(
                limit,
                (cursor, left) -> api.get("/runs?limit=" + Math.min(left, PAGE) + filter + from(cursor), Runs.class)
                        .json());
    }

    private static String from(Optional<String> cursor) {
        return cursor.map(text -> "&cursor=" + Api.encoded(text)).orElse("");
    }

    @Override
    public String source() {
        return "at " + api.location().url();
    }

    @Override
    public boolean knows(String runId) {
        return api.knows(runId);
    }

    @Override
    public Document<Run> run(String runId) {
        return api.look(runId);
    }

    @Override
    public Document<Explanation> explain(String runId) {
        return api.get(Api.run(runId) + "/explain", Explanation.class);
    }

    @Override
    public List<IterationRow> newestIterations(String runId, int limit) {
        return api.get(Api.run(runId) + "/iterations?limit=" + limit, IterationPage.class)
                .view()
                .iterations();
    }

    @Override
    public List<Step> newestSteps(String runId, int limit) {
        return Pages.newestSteps(
                limit,
                (cursor, left) -> api.get(Api.run(runId) + "/steps?limit=" + left + from(cursor), StepPage.class)
                        .view());
    }

    @Override
    public Document<Step> step(String runId, String stepId) {
        return api.get(stepPath(runId, stepId), Step.class);
    }

    @Override
    public Document<LaunchContext> context(String runId, String stepId) {
        return api.get(stepPath(runId, stepId) + "/context", LaunchContext.class);
    }

    private static String stepPath(String runId, String stepId) {
        return Api.run(runId) + "/steps/" + Api.encoded(stepId);
    }

    @Override
    public void log(String runId, String stepId, String stream, LogSelection selection, LogSink sink) {
        String log = stepPath(runId, stepId) + "/log?stream=" + stream;
        String tail = selection.tail().isPresent() ? "&tail=" + selection.tail().getAsLong() : "";
        StreamedAnswer answer =
                api.stream(log + "&follow=" + selection.follow() + tail, Session.PATIENCE, Duration.ZERO);
        answer.header("Loopkeeper-Output")
                .filter(dialect -> stream.equals("stdout"))
                .ifPresent(sink::reads);
        if (!answer.to(sink)) {
            throw cutShort(log);
        }
    }

    /** A request for none of the log fails with the reason, e.g. that its node is lost. */
    private CommandFailure cutShort(String log) {
        StreamedAnswer unused = api.stream(log + "&tail=0", Session.PATIENCE, Duration.ZERO);
        return CommandFailure.unreachable(
                "the server at " + api.location().url() + " ended the log early; run the command again");
    }

    /** The answer of {@code GET /policy}. */
    private record PolicyAnswer(JsonNode policy, long version) {}

    @Override
    public AppliedPolicy policy() {
        PolicyAnswer answer = api.get("/policy", PolicyAnswer.class).view();
        try {
            return AppliedPolicy.of(
                    new StoredPolicy(answer.version(), answer.policy().toString()));
        } catch (StoreException newer) {
            throw CommandFailure.unreachable(newer.getMessage());
        }
    }

    @Override
    public Document<Pools> pools() {
        return api.get("/pools", Pools.class);
    }

    @Override
    public Document<Caps> caps() {
        return api.get("/caps", Caps.class);
    }

    @Override
    public Document<Schedules> schedules() {
        return api.get("/schedules", Schedules.class);
    }

    @Override
    public Document<ScheduleStatus> schedule(String name) {
        return api.get("/schedules/" + Api.encoded(name), ScheduleStatus.class);
    }

    @Override
    public void close() {
        // The session closes the connections.
    }

    @Override
    public Document<Diff> diff(String runId, Optional<String> stepId) {
        return api.get(diffPath(runId, stepId), Diff.class);
    }

    @Override
    public void patch(String runId, Optional<String> stepId, Consumer<byte[]> sink) {
        api.download(diffPath(runId, stepId) + "?view=patch", Session.PATIENCE, sink);
    }

    @Override
    public BundleManifest export(String runId, Path file) {
        try {
            return BundleFile.receive(
                    file,
                    runId,
                    out -> api.download(Api.run(runId) + "/export", EXPORTING, bytes -> write(out, bytes)));
        } catch (BundleException refused) {
            throw CommandFailure.refused(refused.getMessage());
        }
    }

    /** Writes bytes that arrive; a failure is unchecked. */
    public static void write(OutputStream out, byte... bytes) {
        try {
            out.write(bytes);
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    private static String diffPath(String runId, Optional<String> stepId) {
        String step = stepId.map(id -> "/steps/" + Api.encoded(id)).orElse("");
        return Api.run(runId) + step + "/diff";
    }
}
