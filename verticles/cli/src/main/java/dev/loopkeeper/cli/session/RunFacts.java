package dev.loopkeeper.cli.session;

import dev.loopkeeper.bundle.BundleManifest;
import dev.loopkeeper.step.LaunchContext;
import dev.loopkeeper.view.Diff;
import dev.loopkeeper.view.Explanation;
import dev.loopkeeper.view.IterationRow;
import dev.loopkeeper.view.Run;
import dev.loopkeeper.view.Runs;
import dev.loopkeeper.view.Step;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Facts about the runs of a data folder, from its server or, where there is none, from its store. */
public interface RunFacts extends AutoCloseable {
    /** Where it was looked, e.g. {@code in /var/lib/loopkeeper} or {@code at http://127.0.0.1:8080}. */
    String place();

    /** The runs of these statuses, or all, newest first. */
    Document<Runs> list(Set<String> statuses, int limit);

    /** Whether there is a run of this very id; also when it cannot be told. */
    boolean knows(String runId);

    /** The ids that begin so, of the newest runs first; of all runs where no beginning is given. */
    List<String> ids(Optional<String> prefix, int limit);

    /** The run object; an unknown run ends the command. */
    Document<Run> run(String runId);

    /** Whether this run should go on by itself, and there is nobody to carry it out. */
    default boolean abandoned(Runs.Entry run) {
        return false;
    }

    /** Why the run is where it is and what may follow. */
    Document<Explanation> explain(String runId);

    /** As {@link #explain}, of a run that may be resumed; empty where nothing is to be resumed, or nobody tells what. */
    default Optional<Explanation> advice(Run run) {
        if (!run.atRest() || !run.resumable()) {
            return Optional.empty();
        }
        try {
            return Optional.of(explain(run.runId()).view());
        } catch (CommandFailure unexplained) {
            return Optional.empty();
        }
    }

    /** What the run, or this step of it, has changed in its worktree; one without ends the command. */
    Document<Diff> diff(String runId, Optional<String> stepId);

    /** The same as git says it, byte by byte, all of it, part by part; an end before the end ends the command. */
    void patch(String runId, Optional<String> stepId, Consumer<byte[]> sink);

    /** Writes a run into a file, wholly or not at all; what cannot be exported ends the command. */
    BundleManifest export(String runId, Path file);

    /** The run's newest iterations, oldest first. */
    List<IterationRow> newestIterations(String runId, int limit);

    /** The run's newest steps, oldest first. */
    List<Step> newestSteps(String runId, int limit);

    /** One step; an unknown one ends the command. */
    Document<Step> step(String runId, String stepId);

    /** What the launch of a step knew of what came before it; an unknown step ends the command. */
    Document<LaunchContext> context(String runId, String stepId);

    /** The id of the run's newest step; empty while there is none. */
    default Optional<String> newestStep(String runId) {
        return newestSteps(runId, 1).stream().map(Step::stepId).findFirst();
    }

    /**
     * Hands one stream of a step's output on, part by part.
     *
     * @param stream {@code stdout} or {@code stderr}
     */
    void log(String runId, String stepId, String stream, LogSelection wish, LogSink sink);

    @Override
    void close();

    /** Of this server. */
    static RunFacts of(Api api) {
        return new ServerFacts(api);
    }

    /** Of the server if there is one. */
    static RunFacts of(Session session, RootCommand root) {
        return session.server().<RunFacts>map(ServerFacts::new).orElseGet(() -> new StoreFacts(session.vertx(), root));
    }
}
