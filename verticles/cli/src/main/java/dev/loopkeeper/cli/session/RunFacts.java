package dev.loopkeeper.cli.session;

import dev.loopkeeper.bundle.BundleManifest;
import dev.loopkeeper.step.LaunchContext;
import dev.loopkeeper.store.AppliedPolicy;
import dev.loopkeeper.view.Caps;
import dev.loopkeeper.view.Diff;
import dev.loopkeeper.view.Explanation;
import dev.loopkeeper.view.IterationRow;
import dev.loopkeeper.view.Pools;
import dev.loopkeeper.view.Run;
import dev.loopkeeper.view.Runs;
import dev.loopkeeper.view.ScheduleStatus;
import dev.loopkeeper.view.ScheduleStatus.Schedules;
import dev.loopkeeper.view.Step;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Reads facts about the runs of a data folder, from its server or, if there is none, from its store. */
public interface RunFacts extends AutoCloseable {
    /** Returns where the facts come from, e.g. {@code in /var/lib/loopkeeper} or {@code at http://127.0.0.1:8080}. */
    String source();

    /** Returns the runs of these statuses, or of all if empty, whose ids have this prefix, if any; newest first. */
    Document<Runs> list(Set<String> statuses, Optional<String> prefix, int limit);

    /** Returns whether there is a run with this id; true also if that is unknown. */
    boolean knows(String runId);

    /** Returns the ids with this prefix, or all ids if there is none; newest run first. */
    default List<String> ids(Optional<String> prefix, int limit) {
        List<String> ids = new ArrayList<>();
        // Reading the records would take a tenth of the time of most commands.
        list(Set.of(), prefix, limit)
                .json()
                .path("runs")
                .forEach(run -> ids.add(run.path("runId").asText()));
        return ids;
    }

    /** Returns the run object; an unknown run ends the command. */
    Document<Run> run(String runId);

    /** Returns whether this run is open but no process executes it. */
    default boolean abandoned(Run run) {
        return false;
    }

    /** Explains why the run has its status, and which actions are next. */
    Document<Explanation> explain(String runId);

    /** Explains a run; empty if the explanation is not available. */
    default Optional<Explanation> explained(String runId) {
        try {
            return Optional.of(explain(runId).view());
        } catch (CommandFailure unexplained) {
            return Optional.empty();
        }
    }

    /** Returns what the run, or this step of it, changed in its worktree; a run without a worktree ends the command. */
    Document<Diff> diff(String runId, Optional<String> stepId);

    /** Passes the changes in the format of git to {@code sink} in parts; a truncated answer ends the command. */
    void patch(String runId, Optional<String> stepId, Consumer<byte[]> sink);

    /** Exports a run to a file, completely or not at all; a refusal ends the command. */
    BundleManifest export(String runId, Path file);

    /** Returns the run's newest iterations, oldest first. */
    List<IterationRow> newestIterations(String runId, int limit);

    /** Returns the run's newest steps, oldest first. */
    List<Step> newestSteps(String runId, int limit);

    /** Returns one step; an unknown step ends the command. */
    Document<Step> step(String runId, String stepId);

    /** Returns the context that a step was launched with; an unknown step ends the command. */
    Document<LaunchContext> context(String runId, String stepId);

    /** Returns the id of the run's newest step; empty if there is none. */
    default Optional<String> newestStep(String runId) {
        return newestSteps(runId, 1).stream().map(Step::stepId).findFirst();
    }

    /**
     * Passes one stream of a step's output to {@code sink} in parts.
     *
     * @param stream {@code stdout} or {@code stderr}
     */
    void log(String runId, String stepId, String stream, LogSelection selection, LogSink sink);

    /** Returns the policy that holds across runs; one that this version cannot read ends the command. */
    AppliedPolicy policy();

    /** Returns the caps of the policy with what their runs have used in the present window. */
    Document<Caps> caps();

    /** Returns the pools of the policy with their use. */
    Document<Pools> pools();

    /** Returns the schedules of the policy, each with its newest fire. */
    Document<Schedules> schedules();

    /** Returns one schedule with its newest fires; an unknown name ends the command. */
    Document<ScheduleStatus> schedule(String name);

    @Override
    void close();

    /** Returns the facts of this server. */
    static RunFacts of(Api api) {
        return new ServerFacts(api);
    }

    /** Returns the facts of the server if there is one, otherwise of the store. */
    static RunFacts of(Session session, RootCommand root) {
        return session.server().<RunFacts>map(ServerFacts::new).orElseGet(() -> new StoreFacts(session.vertx(), root));
    }
}
