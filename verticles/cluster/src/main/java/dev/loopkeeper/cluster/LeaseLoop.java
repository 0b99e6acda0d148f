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
import dev.loopkeeper.store.postgres.RunOwners.Answer;
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
 * Feeds {@link NodeLease} with what happens and asks the database as it says. On one context of an event loop on which
 * nothing else runs: whatever else the runtime does, the lease is renewed in time.
 */
final class LeaseLoop {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseLoop.class);
    private static final long TICK_MILLIS = 50;

    /** What is done beside the database. Called on the loop; does not block. */
    interface Node {
        /** Where the node stands now, before anything of it is carried out. */
        void stands(LeaseState state);

        /** Must hold when this returns. Throws where it cannot be written. */
        void write(LeaseFile file);

        void takeUp(Answer.Joined joined);

        void dropRuns();

        /** Answered by {@link LeaseInput.TreesGone}. */
        void endTrees(BootTime killAt);

        void letGo(long incarnation);

        /** There is nothing to let go of. */
        void left();

        void giveUp(String reason);
    }

    private final Vertx vertx;
    private final Context context;
    private final NodeLease rules;
    private final RunOwners owners;
    private final Supplier<RunOwners.NodeFacts> facts;
    private final Node node;
    private LeaseState state = NodeLease.OUT;
    private Optional<Answer.Joined> joined = Optional.empty();
    private DuplicateNodeWatch namesake = DuplicateNodeWatch.NOTHING;
    private final AbsenceLog absence = new AbsenceLog();
    private long timer;

    LeaseLoop(
            Vertx vertx,
            Context context,
            LeaseTerms terms,
            RunOwners owners,
            Supplier<RunOwners.NodeFacts> facts,
            Node node) {
        this.vertx = vertx;
        this.context = context;
        this.rules = new NodeLease(terms);
        this.owners = owners;
        this.facts = facts;
        this.node = node;
    }

    /** Once. Any thread. */
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
        guarded(() -> node.stands(state));
        decision.commands().forEach(command -> guarded(() -> carryOut(command)));
        if (input instanceof LeaseInput.Leave && decision.commands().isEmpty()) {
            node.left();
        }
    }

    /** Whatever one of them throws, the others are carried out: the end of all processes may be among them. */
    private static void guarded(Runnable effect) {
        try {
            effect.run();
        } catch (RuntimeException | Error broken) {
            LOG.error("what the lease requires was not done as a whole", broken);
        }
    }

    private void carryOut(LeaseCommand command) {
        if (command instanceof LeaseCommand.Join join) {
            join(join.sentAt());
        } else if (command instanceof LeaseCommand.Renew renew) {
            renew(renew);
        } else if (command instanceof LeaseCommand.WriteFile write) {
            write(write);
        } else if (command instanceof LeaseCommand.TakeUp) {
            node.takeUp(joined.orElseThrow());
        } else if (command instanceof LeaseCommand.DropRuns) {
            node.dropRuns();
        } else if (command instanceof LeaseCommand.EndTrees end) {
            node.endTrees(end.killAt());
        } else if (command instanceof LeaseCommand.Release release) {
            node.letGo(release.incarnation());
        } else if (command instanceof LeaseCommand.GiveUp giveUp) {
            node.giveUp(giveUp.reason());
        }
    }

    /** Whoever goes by the file must not be behind: without it the processes end. */
    private void write(LeaseCommand.WriteFile write) {
        try {
            node.write(write.file());
        } catch (RuntimeException | Error refused) {
            LOG.error("the lease cannot be written down, so this node gives it up: {}", refused.toString());
            feed(LeaseInput.WardenLost::new);
        }
    }

    private void join(BootTime sentAt) {
        TimeLimit.of(vertx, owners.join(facts.get()), LeaseTerms.ANSWER)
                .compose(answer -> {
                    answered();
                    return answer instanceof Answer.Occupied other ? occupied(other) : joined(answer);
                })
                .onComplete(
                        answer -> decide(answer.<LeaseInput>map(
                                        known -> new LeaseInput.Joined(BootClock.now(), sentAt, known.incarnation()))
                                .orElseGet(() -> new LeaseInput.Unanswered(BootClock.now(), sentAt))),
                        cause -> {
                            unanswered("the database did not answer whether this node may join", cause);
                            decide(new LeaseInput.Unanswered(BootClock.now(), sentAt));
                        });
    }

    private void answered() {
        absence.answered(BootClock.now()).ifPresent(LOG::info);
    }

    private void unanswered(String what, Throwable cause) {
        absence.unanswered(BootClock.now(), what + ": " + cause.getMessage()).ifPresent(LOG::warn);
    }

    private Future<Optional<Answer.Joined>> joined(Answer answer) {
        joined = Optional.of((Answer.Joined) answer);
        return Future.succeededFuture(joined);
    }

    /** Another folder has this name: it lives if its beat changes, and is followed if that does not for a whole lease. */
    private Future<Optional<Answer.Joined>> occupied(Answer.Occupied other) {
        BootTime at = BootClock.now();
        if (namesake.equals(DuplicateNodeWatch.NOTHING)) {
            LOG.info(
                    "node {} was at work with another data folder: this one comes in when that has been silent for its"
                            + " lease of {} s",
                    other.beat().node(),
                    other.beat().terms().lease().toSeconds());
        }
        namesake = namesake.look(at, other.session(), other.beat());
        if (namesake.isAtWork()) {
            decide(new LeaseInput.JoinRefused(at, namesake(other.beat().node(), other.url())));
            return Future.succeededFuture(Optional.empty());
        }
        return namesake.isSilent(at)
                ? owners.replace(other.beat()).map(Optional.empty())
                : Future.succeededFuture(Optional.empty());
    }

    /** What is told of another node with this one's name. */
    static String namesake(String node, String url) {
        return "node " + node + " is at work with another data folder" + (url.isEmpty() ? "" : " at " + url)
                + ". Stop that one, or give this one another name.";
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
