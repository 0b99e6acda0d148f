package dev.loopkeeper.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.checkpoint.ViewJson;
import dev.loopkeeper.contract.RequestChannel;
import dev.loopkeeper.contract.worktree.CheckWorkspace;
import dev.loopkeeper.contract.worktree.CommitsDiff;
import dev.loopkeeper.contract.worktree.DiffCommits;
import dev.loopkeeper.contract.worktree.DiffPart;
import dev.loopkeeper.contract.worktree.ReadDiff;
import dev.loopkeeper.contract.worktree.WorktreeChannels;
import dev.loopkeeper.contract.worktree.WorktreeException;
import dev.loopkeeper.gateway.http.Answer;
import dev.loopkeeper.gateway.http.Body;
import dev.loopkeeper.gateway.http.ClientGone;
import dev.loopkeeper.gateway.http.Endpoint;
import dev.loopkeeper.gateway.http.Ids;
import dev.loopkeeper.gateway.http.Problem;
import dev.loopkeeper.gateway.http.ProblemJson;
import dev.loopkeeper.gateway.http.Query;
import dev.loopkeeper.store.StepPages;
import dev.loopkeeper.view.GitWork;
import dev.loopkeeper.view.Node;
import dev.loopkeeper.view.Run;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** What a run, or a step of it, has changed in its worktree. */
final class DiffRoutes {
    private static final String PATCH = "patch";
    private static final List<String> VIEWS = List.of("json", PATCH);
    /** In JSON; all of it is a patch. */
    private static final int MOST_BYTES = 2 << 20;

    /** Hashes alone: a name could be that of any branch of the person's. */
    private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{7,64}");

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final SchedulerClient scheduler;
    private final ClusterClient cluster;
    private final StepPages steps;

    DiffRoutes(SchedulerClient scheduler, ClusterClient cluster, StepPages steps) {
        this.scheduler = scheduler;
        this.cluster = cluster;
        this.steps = steps;
    }

    List<Endpoint> endpoints() {
        return List.of(
                Endpoint.document("/runs/{runId}/diff", context -> answer(context, this::ofRun))
                        .taking("from", "to", "view"),
                Endpoint.document("/runs/{runId}/steps/{stepId}/diff", context -> answer(context, this::ofStep))
                        .taking("view"));
    }

    /** Between which commits of a run. */
    private record Wish(Run run, GitWork git, String from, String to) {}

    private void answer(RoutingContext context, Function<RoutingContext, Future<Wish>> asked) {
        boolean whole = new Query(context).choices("view", VIEWS).contains(PATCH);
        asked.apply(context)
                .compose(wish -> whole
                        ? patch(context, wish)
                        : diff(wish).map(answer -> {
                            answer.write(context);
                            return null;
                        }))
                .onFailure(cause -> ProblemJson.write(context, cause));
    }

    /** All of it, as git says it, no faster than the client reads. */
    private Future<Void> patch(RoutingContext context, Wish wish) {
        return place(wish)
                .compose(place -> send(
                        context,
                        place,
                        new ReadDiff(
                                place.repository,
                                wish.from,
                                wish.to,
                                UUID.randomUUID().toString(),
                                0,
                                false),
                        wish.run.runId() + ".diff"));
    }

    private Future<Void> send(RoutingContext context, Place place, ReadDiff first, String name) {
        ReadDiff[] question = {first};
        Supplier<Future<Body.Piece>> parts = () -> place.read(question[0]).map(part -> {
            question[0] = question[0].behind(part);
            return new Body.Piece(Buffer.buffer(part.bytes()), part.last());
        });
        return new Body(context.vertx(), context.request(), parts)
                .send(response -> response.putHeader(HttpHeaders.CONTENT_TYPE, "text/x-diff")
                        .putHeader("X-Content-Type-Options", "nosniff")
                        .putHeader("Content-Disposition", "attachment; filename=\"" + name + "\"")
                        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store"))
                // Also where the client has left: git ends then.
                .onComplete(over -> place.read(question[0].ended()).onFailure(ClientGone::note));
    }

    private Future<Wish> ofRun(RoutingContext context) {
        String runId = Ids.run(context);
        Query query = new Query(context);
        Optional<String> from = commit(query, "from");
        Optional<String> to = commit(query, "to");
        return scheduler.run(runId).map(run -> {
            GitWork git = git(run);
            return new Wish(run, git, from.orElse(git.base()), to.orElse(git.head()));
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

    private Future<Wish> ofStep(RoutingContext context) {
        String runId = Ids.run(context);
        String stepId = Ids.step(context);
        return scheduler.run(runId).compose(run -> {
            GitWork git = git(run);
            return scheduler
                    .step(runId, stepId)
                    .compose(known -> steps.commit(runId, stepId))
                    .map(commit ->
                            new Wish(run, git, part(commit, "from", git.head()), part(commit, "commit", git.head())));
        });
    }

    private static String part(Optional<JsonNode> commit, String name, String absent) {
        return commit.map(data -> data.path(name).asText()).orElse(absent);
    }

    /** The other node on whose disk the run's repository lies: the one that carries it out, or did so last. */
    private Future<Optional<Node>> there(Run run) {
        return run.owner()
                .map(owner -> cluster.other(owner.node()))
                .orElseGet(() -> Future.succeededFuture(Optional.empty()));
    }

    private Future<Answer> diff(Wish wish) {
        return place(wish)
                .compose(place -> place.ask(
                        WorktreeChannels.DIFF, new DiffCommits(place.repository, wish.from, wish.to, MOST_BYTES)))
                .map(diff -> Answer.ok(ViewJson.write(diff.view(wish.run.runId(), whole(wish, diff)))));
    }

    /** Where all of it is, if there is more; between the same commits, whatever the run does meanwhile. */
    private static Optional<String> whole(Wish wish, CommitsDiff diff) {
        return diff.cut()
                ? Optional.of(Endpoint.BASE + "/runs/" + wish.run.runId() + "/diff?from=" + diff.from() + "&to="
                        + diff.to() + "&view=" + PATCH)
                : Optional.empty();
    }

    private Future<Place> place(Wish wish) {
        Path workspace = Path.of(wish.run.workspace().orElse("/"));
        return there(wish.run).compose(other -> {
            Place there = new Place(other, workspace);
            return there.ask(WorktreeChannels.CHECK, new CheckWorkspace(workspace, wish.git.base()))
                    .map(checked -> new Place(other, checked.repository()));
        });
    }

    /** Where the repository of a run lies. */
    private final class Place {
        private final Optional<Node> other;
        private final Path repository;

        Place(Optional<Node> other, Path repository) {
            this.other = other;
            this.repository = repository;
        }

        <Q, A> Future<A> ask(RequestChannel<Q, A> channel, Q question) {
            Future<A> answer = other.isEmpty()
                    ? scheduler.patiently(channel, question)
                    : cluster.at(other.get(), channel, question, PATIENCE);
            return answer.recover(cause -> Future.failedFuture(
                    cause instanceof WorktreeException || cause instanceof NodeRefusal
                            ? new Problem(409, "repository-unavailable", cause.getMessage())
                            : cause));
        }

        Future<DiffPart> read(ReadDiff question) {
            return ask(WorktreeChannels.READ_DIFF, question);
        }
    }
}
