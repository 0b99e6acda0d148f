package dev.loopkeeper.cluster;

import dev.loopkeeper.ownership.BootTime;
import dev.loopkeeper.ownership.DuplicateNodeWatch;
import dev.loopkeeper.ownership.LeaseCommand;
import dev.loopkeeper.ownership.LeaseDecision;
import dev.loopkeeper.ownership.LeaseFile;
import dev.loopkeeper.ownership.LeaseInput;
import dev.loopkeeper.ownership.LeaseState;
import dev.loopkeeper.ownership.LeaseTerms;
import dev.loopkeeper.ownership.NodeLease;
import dev.loopkeeper.store.postgres.RunOwners;
import dev.loopkeeper.store.postgres.RunOwners.JoinResult;
import dev.loopkeeper.work.LogThrottle;
import dev.loopkeeper.work.TimeLimit;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Feeds {@link NodeLease} with inputs and executes its commands. It has an event loop of its own, so that the rest of
 * the runtime cannot delay a renewal.
 */
final class LeaseLoop {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseLoop.class);
    private static final long TICK_MILLIS = 50;

    /** Effects other than database queries. Called on the loop; must not block. */
    interface Effects {
        /** Called with the new state, before its commands are executed. */
        void stateChanged(LeaseState state);

        /** Writes the file before it returns; throws if that fails. */
        void write(LeaseFile file);

        void resumeRuns(JoinResult.Joined joined);

        void dropRuns();

        /** Completion is reported by {@link LeaseInput.TreesGone}. */
        void endTrees(BootTime killAt);

        void release(long incarnation);

        /** Called if there is no lease to release. */
        void left();

        void joinRefused(String reason);
    }

    private final Vertx vertx;
    private final Context context;
    private final NodeLease rules;
    private final RunOwners owners;
    private final Supplier<RunOwners.NodeFacts> facts;
    private final Effects effects;
    private LeaseState state = NodeLease.OUT;
    private Optional<JoinResult.Joined> joined = Optional.empty();
    private DuplicateNodeWatch duplicate = DuplicateNodeWatch.NOTHING;
    private final LogThrottle throttle = new LogThrottle();
    /** When the database stopped answering. */
    private Optional<BootTime> outage = Optional.empty();

    private long timer;

    LeaseLoop(
            Vertx vertx,
            Context context,
            LeaseTerms terms,
            RunOwners owners,
            Supplier<RunOwners.NodeFacts> facts,
            Effects effects) {
        this.vertx = vertx;
        this.context = context;
        this.rules = new NodeLease(terms);
        this.owners = owners;
        this.facts = facts;
        this.effects = effects;
    }

    /** Call once, on any thread. */
    void start(Optional<BootTime> inherited) {
        context.runOnContext(now -> {
            timer = vertx.setPeriodic(TICK_MILLIS, due -> decide(new LeaseInput.Tick(BootClock.now())));
            decide(new LeaseInput.Started(BootClock.now(), inherited));
        });
    }

    /** Any thread. */
    void feed(Function<BootTime, LeaseInput> input) {
        context.runOnContext(now -> decide(input.apply(BootClock.now())));
    }

    void stop() {
        context.runOnContext(now -> {
            boolean unused = vertx.cancelTimer(timer);
        });
    }

    private void decide(LeaseInput input) {
        LeaseDecision decision = rules.decide(state, input);
        if (!decision.state().getClass().equals(state.getClass())) {
            LOG.info("lease: {} after {}", decision.state().getClass().getSimpleName(), input);
        }
        state = decision.state();
        guarded(() -> effects.stateChanged(state));
        decision.commands().forEach(command -> guarded(() -> execute(command)));
        if (input instanceof LeaseInput.Leave && decision.commands().isEmpty()) {
            effects.left();
        }
    }

    /** An exception in one effect must not prevent the others, such as the end of all processes. */
    private static void guarded(Runnable effect) {
        try {
            effect.run();
        } catch (RuntimeException | Error broken) {
            LOG.error("an effect of the lease failed", broken);
        }
    }

    private void execute(LeaseCommand command) {
        if (command instanceof LeaseCommand.Join join) {
            join(join.sentAt());
        } else if (command instanceof LeaseCommand.Renew renew) {
            renew(renew);
        } else if (command instanceof LeaseCommand.WriteFile write) {
            write(write);
        } else if (command instanceof LeaseCommand.RecoverRuns) {
            effects.resumeRuns(joined.orElseThrow());
        } else if (command instanceof LeaseCommand.DropRuns) {
            effects.dropRuns();
        } else if (command instanceof LeaseCommand.EndTrees end) {
            effects.endTrees(end.killAt());
        } else if (command instanceof LeaseCommand.Release release) {
            effects.release(release.incarnation());
        } else if (command instanceof LeaseCommand.GiveUp giveUp) {
            effects.joinRefused(giveUp.reason());
        }
    }

    /** Warden and gate follow the file; if it cannot be written, the node gives up its lease and ends its processes. */
    private void write(LeaseCommand.WriteFile write) {
        try {
            effects.write(write.file());
        } catch (RuntimeException | Error refused) {
            LOG.error("the lease file cannot be written, so this node gives up its lease: {}", refused.toString());
            feed(LeaseInput.WardenLost::new);
        }
    }

    private void join(BootTime sentAt) {
        TimeLimit.of(vertx, owners.join(facts.get()), LeaseTerms.ANSWER)
                .compose(answer -> {
                    answered();
                    return answer instanceof JoinResult.Occupied other ? occupied(other) : joined(answer);
                })
                .onComplete(
                        answer -> decide(answer.<LeaseInput>map(
                                        known -> new LeaseInput.Joined(BootClock.now(), sentAt, known.incarnation()))
                                .orElseGet(() -> new LeaseInput.Unanswered(BootClock.now(), sentAt))),
                        cause -> {
                            unanswered("the database did not answer the request to join", cause);
                            decide(new LeaseInput.Unanswered(BootClock.now(), sentAt));
                        });
    }

    private void answered() {
        outage.ifPresent(begun -> LOG.info(
                "the database answers again, after {} s",
                BootClock.now().since(begun).toSeconds()));
        outage = Optional.empty();
    }

    private void unanswered(String what, Throwable cause) {
        outage = outage.or(() -> Optional.of(BootClock.now()));
        if (throttle.isDue(what + outage, System.nanoTime())) {
            LOG.warn("{}: {}; the node retries and logs this once a minute", what, cause.getMessage());
        }
    }

    private Future<Optional<JoinResult.Joined>> joined(JoinResult answer) {
        joined = Optional.of((JoinResult.Joined) answer);
        return Future.succeededFuture(joined);
    }

    /**
     * Handles another data folder with this node's name: it is alive if its beat changes; after a complete lease
     * without a beat this node replaces it.
     */
    private Future<Optional<JoinResult.Joined>> occupied(JoinResult.Occupied other) {
        BootTime at = BootClock.now();
        if (duplicate.equals(DuplicateNodeWatch.NOTHING)) {
            LOG.info(
                    "node {} was active with another data folder: this node joins once that node has been silent for its"
                            + " lease of {} s",
                    other.beat().node(),
                    other.beat().terms().lease().toSeconds());
        }
        duplicate = duplicate.look(at, other.session(), other.beat());
        if (duplicate.isAtWork()) {
            decide(new LeaseInput.JoinRefused(at, duplicate(other.beat().node(), other.url())));
            return Future.succeededFuture(Optional.empty());
        }
        return duplicate.isSilent(at)
                ? owners.replace(other.beat()).map(Optional.empty())
                : Future.succeededFuture(Optional.empty());
    }

    /** Returns the message about another active node with this node's name. */
    static String duplicate(String node, String url) {
        return "node " + node + " is active with another data folder" + (url.isEmpty() ? "" : " at " + url)
                + ". Stop that node, or give this node another name.";
    }

    private void renew(LeaseCommand.Renew renew) {
        long incarnation = renew.incarnation();
        RunOwners.NodeFacts mine = facts.get();
        TimeLimit.of(vertx, owners.renew(mine, incarnation), LeaseTerms.ANSWER)
                .onComplete(
                        live -> {
                            answered();
                            decide(
                                    live
                                            ? new LeaseInput.Renewed(BootClock.now(), renew.sentAt(), incarnation)
                                            : new LeaseInput.Fenced(BootClock.now(), incarnation));
                        },
                        cause -> {
                            unanswered("the lease was not renewed", cause);
                            decide(new LeaseInput.Unanswered(BootClock.now(), renew.sentAt()));
                        });
    }
}
