package dev.loopkeeper.gateway;

import dev.loopkeeper.checkpoint.ViewJson;
import dev.loopkeeper.contract.worktree.CheckWorkspace;
import dev.loopkeeper.contract.worktree.DiffCommits;
import dev.loopkeeper.contract.worktree.WorktreeChannels;
import dev.loopkeeper.contract.worktree.WorktreeException;
import dev.loopkeeper.gateway.http.Answer;
import dev.loopkeeper.gateway.http.Endpoint;
import dev.loopkeeper.gateway.http.Ids;
import dev.loopkeeper.gateway.http.Problem;
import dev.loopkeeper.gateway.http.Query;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.view.GitWork;
import dev.loopkeeper.view.Node;
import dev.loopkeeper.view.Run;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** What a run, or a step of it, has changed in its worktree. */
final class DiffRoutes {
    /** More is read at a terminal, in the repository itself. */
    private static final int MOST_BYTES = 2 << 20;

    private static final int PAGE = 2_000;
    /** Hashes alone: a name could be that of any branch of the person's. */
    private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{7,64}");

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final SchedulerClient scheduler;
    private final ClusterClient cluster;
    private final EventStore store;

    DiffRoutes(SchedulerClient scheduler, ClusterClient cluster, EventStore store) {
        this.scheduler = scheduler;
        this.cluster = cluster;
        this.store = store;
    }

    List<Endpoint> endpoints() {
        return List.of(
                Endpoint.get("/runs/{runId}/diff", this::ofRun),
                Endpoint.get("/runs/{runId}/steps/{stepId}/diff", this::ofStep));
    }

    private Future<Answer> ofRun(RoutingContext context) {
        String runId = Ids.run(context);
        Query query = new Query(context);
        Optional<String> from = commit(query, "from");
        Optional<String> to = commit(query, "to");
        return scheduler.run(runId).compose(run -> {
            GitWork git = git(run);
            return diff(run, git, from.orElse(git.base()), to.orElse(git.head()));
        });
    }

    private static Optional<String> commit(Query query, String name) {
        Optional<String> hash = query.text(name);
        if (hash.filter(text -> !COMMIT.matcher(text).matches()).isPresent()) {
            throw Problem.invalidAt(name, "must be the hash of a commit, 7 digits or more");
        }
        return hash;
    }

    private static GitWork git(Run run) {
        return run.git()
                .orElseThrow(() -> new Problem(
                        409,
                        "no-worktree",
                        "run " + run.runId() + " has no worktree of its own: isolation.git is none"));
    }

    private Future<Answer> ofStep(RoutingContext context) {
        String runId = Ids.run(context);
        String stepId = Ids.step(context);
        return scheduler.run(runId).compose(run -> {
            GitWork git = git(run);
            return scheduler
                    .step(runId, stepId)
                    .compose(known -> committed(runId, stepId, 0))
                    .compose(event -> event.isPresent()
                            ? diff(run, git, part(event.get(), "from"), part(event.get(), "commit"))
                            : diff(run, git, git.head(), git.head()));
        });
    }

    private static String part(PositionedEvent event, String name) {
        return event.event().data().path(name).asText();
    }

    /** The commit of this step; empty when it changed nothing. */
    private Future<Optional<PositionedEvent>> committed(String runId, String stepId, long since) {
        return store.events(runId, since, PAGE).compose(events -> {
            Optional<PositionedEvent> found = events.stream()
                    .filter(event -> event.event().type().equals("workspace.committed"))
                    .filter(event -> part(event, "stepId").equals(stepId))
                    .findFirst();
            boolean more = events.size() == PAGE && found.isEmpty();
            return more
                    ? committed(runId, stepId, events.get(PAGE - 1).event().sequence())
                    : Future.succeededFuture(found);
        });
    }

    /** The other node on whose disk the run's repository lies: the one that carries it out, or did so last. */
    private Future<Optional<Node>> there(Run run) {
        return run.owner()
                .map(owner -> cluster.other(owner.node()))
                .orElseGet(() -> Future.succeededFuture(Optional.empty()));
    }

    private Future<Answer> diff(Run run, GitWork git, String from, String to) {
        Path workspace = Path.of(run.workspace().orElse("/"));
        CheckWorkspace check = new CheckWorkspace(workspace, git.base());
        return there(run)
                .compose(other -> other.isEmpty()
                        ? scheduler
                                .patiently(WorktreeChannels.CHECK, check)
                                .compose(checked -> scheduler.patiently(
                                        WorktreeChannels.DIFF,
                                        new DiffCommits(checked.repository(), from, to, MOST_BYTES)))
                        : cluster.at(other.get(), WorktreeChannels.CHECK, check, PATIENCE)
                                .compose(checked -> cluster.at(
                                        other.get(),
                                        WorktreeChannels.DIFF,
                                        new DiffCommits(checked.repository(), from, to, MOST_BYTES),
                                        PATIENCE)))
                .map(diff -> Answer.ok(ViewJson.write(diff.view(run.runId()))))
                .recover(cause -> Future.failedFuture(
                        cause instanceof WorktreeException || cause instanceof NodeRefusal
                                ? new Problem(409, "repository-unavailable", cause.getMessage())
                                : cause));
    }
}
