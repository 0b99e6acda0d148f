package dev.loopkeeper.gateway;

import dev.loopkeeper.checkpoint.ViewJson;
import dev.loopkeeper.contract.CheckoutChannels;
import dev.loopkeeper.contract.CheckoutChannels.CheckWorkspace;
import dev.loopkeeper.contract.CheckoutChannels.CommitsDiff;
import dev.loopkeeper.contract.CheckoutChannels.DiffCommits;
import dev.loopkeeper.contract.CheckoutChannels.DiffPart;
import dev.loopkeeper.contract.CheckoutChannels.MergeRun;
import dev.loopkeeper.contract.CheckoutChannels.ReadDiff;
import dev.loopkeeper.contract.RequestChannel;
import dev.loopkeeper.contract.WorktreeException;
import dev.loopkeeper.gateway.http.Answer;
import dev.loopkeeper.gateway.http.Body;
import dev.loopkeeper.gateway.http.ClientGone;
import dev.loopkeeper.gateway.http.Endpoint;
import dev.loopkeeper.gateway.http.Ids;
import dev.loopkeeper.gateway.http.Problem;
import dev.loopkeeper.gateway.http.ProblemJson;
import dev.loopkeeper.gateway.http.Query;
import dev.loopkeeper.gateway.http.RequestBody;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.json.StrictObject;
import dev.loopkeeper.store.StepPages;
import dev.loopkeeper.termination.RefusalCode;
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
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Serves the changes of a run or a step in its worktree, and the merge of its branch. */
record DiffRoutes(SchedulerClient scheduler, ClusterClient cluster, StepPages steps) {
    private static final String PATCH = "patch";
    private static final List<String> VIEWS = List.of("json", PATCH);
    /** Limit of a diff in JSON; a patch has no limit. */
    private static final int MOST_BYTES = 2 << 20;

    /** Accepts hashes only, since a name could be that of any branch in the repository. */
    private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{7,64}");

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    List<Endpoint> endpoints() {
        return List.of(
                Endpoint.document("/runs/{runId}/diff", context -> answer(context, this::ofRun))
                        .taking("from", "to", "view"),
                Endpoint.document("/runs/{runId}/steps/{stepId}/diff", context -> answer(context, this::ofStep))
                        .taking("view"),
                Endpoint.post("/runs/{runId}/merge", this::merge));
    }

    /** Merges the run's branch into the branch that is checked out in its repository. */
    private Future<Answer> merge(RoutingContext context) {
        String runId = Ids.run(context);
        StrictObject body = RequestBody.of(context, Set.of("squash", "dryRun"));
        boolean squash = body.flag("squash", false);
        boolean dryRun = body.flag("dryRun", false);
        return complete(runId)
                .compose(range -> locate(range).compose(located -> {
                    String branch = range.git.branch();
                    MergeRun merge =
                            new MergeRun(runId, located.repository, branch, squash, Optional.empty(), false, dryRun);
                    return located.here(runId).ask(CheckoutChannels.MERGE_RUN, merge);
                }))
                .map(merged -> Answer.ok(Json.MAPPER.valueToTree(merged)));
    }

    /** Two commits of a run. */
    private record DiffRange(Run run, GitWork git, String from, String to) {}

    private void answer(RoutingContext context, Function<RoutingContext, Future<DiffRange>> asked) {
        boolean patch = new Query(context).choices("view", VIEWS).contains(PATCH);
        asked.apply(context)
                .compose(range -> patch
                        ? patch(context, range)
                        : diff(context, range).map(answer -> {
                            answer.write(context);
                            return null;
                        }))
                .onFailure(cause -> ProblemJson.write(context, cause));
    }

    /** Sends git's complete output, no faster than the client reads. */
    private Future<Void> patch(RoutingContext context, DiffRange range) {
        return locate(range)
                .compose(location -> send(
                        context,
                        location,
                        new ReadDiff(
                                location.repository,
                                range.from,
                                range.to,
                                UUID.randomUUID().toString(),
                                0,
                                false),
                        range.run.runId() + ".diff"));
    }

    private Future<Void> send(RoutingContext context, Repository location, ReadDiff first, String name) {
        ReadDiff[] question = {first};
        Supplier<Future<Body.Piece>> parts = () -> location.read(question[0]).map(part -> {
            question[0] = question[0].behind(part);
            return new Body.Piece(Buffer.buffer(part.bytes()), part.last());
        });
        return new Body(context.vertx(), context.request(), parts)
                .send(response -> response.putHeader(HttpHeaders.CONTENT_TYPE, "text/x-diff")
                        .putHeader("X-Content-Type-Options", "nosniff")
                        .putHeader("Content-Disposition", "attachment; filename=\"" + name + "\"")
                        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store"))
                // Ends git also if the client has disconnected.
                .onComplete(sent -> location.read(question[0].ended()).onFailure(ClientGone::note));
    }

    private Future<DiffRange> ofRun(RoutingContext context) {
        String runId = Ids.run(context);
        Query query = new Query(context);
        Optional<String> from = commit(query, "from");
        Optional<String> to = commit(query, "to");
        return complete(runId)
                .map(range -> new DiffRange(range.run, range.git, from.orElse(range.from), to.orElse(range.to)));
    }

    /** Returns all that the run changed. */
    private Future<DiffRange> complete(String runId) {
        return scheduler.run(runId).map(run -> {
            GitWork git = git(run);
            return new DiffRange(run, git, git.base(), git.head());
        });
    }

    private static Optional<String> commit(Query query, String name) {
        return query.matching(name, COMMIT.asMatchPredicate(), "must be the hash of a commit, 7 digits or more");
    }

    private static GitWork git(Run run) {
        return run.git()
                .orElseThrow(
                        () -> new Problem(
                                RefusalCode.NO_WORKTREE,
                                "run " + run.runId()
                                        + " has no worktree of its own, because its manifest does not set isolation: {git: worktree}"));
    }

    private Future<DiffRange> ofStep(RoutingContext context) {
        String runId = Ids.run(context);
        String stepId = Ids.step(context);
        return complete(runId)
                .compose(range -> scheduler
                        .step(runId, stepId)
                        .compose(known -> steps.commits(runId, stepId, range.git))
                        .map(commits -> new DiffRange(range.run, range.git, commits.from(), commits.to())));
    }

    /**
     * Returns the other node that owns the run, or owned it last, and has its repository; empty if this node has it.
     */
    private Future<Optional<Node>> otherOwner(Run run) {
        return run.owner()
                .map(owner -> cluster.other(owner.node()))
                .orElseGet(() -> Future.succeededFuture(Optional.empty()));
    }

    private Future<Answer> diff(RoutingContext context, DiffRange range) {
        return locate(range)
                .compose(location -> location.ask(
                        CheckoutChannels.DIFF, new DiffCommits(location.repository, range.from, range.to, MOST_BYTES)))
                .map(diff ->
                        Answer.ok(ViewJson.write(diff.view(range.run.runId(), completeUrl(context, range, diff)))));
    }

    /** Returns the URL of the complete patch between the same commits, if the diff was cut. */
    private static Optional<String> completeUrl(RoutingContext context, DiffRange range, CommitsDiff diff) {
        return diff.cut()
                ? Optional.of(Endpoint.path(
                        context,
                        "/runs/" + range.run.runId() + "/diff?from=" + diff.from() + "&to=" + diff.to() + "&view="
                                + PATCH))
                : Optional.empty();
    }

    private Future<Repository> locate(DiffRange range) {
        Path workspace = Path.of(range.run.workspace().orElse("/"));
        return otherOwner(range.run).compose(other -> {
            Repository there = new Repository(other, workspace);
            return there.ask(CheckoutChannels.CHECK, new CheckWorkspace(workspace, range.git.base()))
                    .map(checked -> new Repository(other, checked.repository()));
        });
    }

    /** A run's repository on this or another node. */
    private final class Repository {
        private final Optional<Node> other;
        private final Path repository;

        Repository(Optional<Node> other, Path repository) {
            this.other = other;
            this.repository = repository;
        }

        /** Returns this repository if it is on this node, which alone may change it. */
        Repository here(String runId) {
            if (other.isPresent()) {
                throw new Problem(
                        RefusalCode.REPOSITORY_UNAVAILABLE,
                        "the repository of run " + runId + " is on another node; run loopkeeper merge " + runId
                                + " there");
            }
            return this;
        }

        <Q, A> Future<A> ask(RequestChannel<Q, A> channel, Q question) {
            Future<A> answer = other.isEmpty()
                    ? scheduler.requestLong(channel, question)
                    : cluster.at(other.get(), channel, question, PATIENCE);
            return answer.recover(cause -> Future.failedFuture(
                    cause instanceof WorktreeException || cause instanceof NodeRefusal
                            ? new Problem(RefusalCode.REPOSITORY_UNAVAILABLE, cause.getMessage())
                            : cause));
        }

        Future<DiffPart> read(ReadDiff question) {
            return ask(CheckoutChannels.READ_DIFF, question);
        }
    }
}
