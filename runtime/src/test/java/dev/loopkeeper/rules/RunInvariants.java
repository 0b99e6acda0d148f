package dev.loopkeeper.rules;

import dev.loopkeeper.manifest.EachPhase;
import dev.loopkeeper.rules.message.RunCommand;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.RunEnded;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.run.RunResumed;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.StepStarted;
import dev.loopkeeper.run.progress.EachWork;
import dev.loopkeeper.run.progress.ItemStatus;
import dev.loopkeeper.run.progress.Work;
import dev.loopkeeper.run.step.OpenStep;
import dev.loopkeeper.statistics.RunStatistics;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What must hold after every decision, whatever the input. Follows one run from its creation. */
final class RunInvariants {
    private final Recount recount;
    private final Set<String> stepIds = new HashSet<>();
    private final Set<String> nonces = new HashSet<>();
    private final MoneyInvariant money = new MoneyInvariant();
    private final EscalationInvariant escalation = new EscalationInvariant();
    private long events = 1;
    private int launched;
    private int ends;

    /** Whether a launch waits for the answer to its request. */
    private boolean asks;

    RunInvariants(RunState created) {
        recount = new Recount(created.plan().manifest());
    }

    long ends() {
        return ends;
    }

    void check(RunState before, Decision decision, RunInput input) {
        RunState after = decision.state();
        decision.events().forEach(event -> add(event));
        decision.events().forEach(event -> escalation.add(event, after));
        decision.events().forEach(event -> money.add(event, after.limits().budget()));
        launches(decision);
        events += decision.events().size();
        hold(after.sequence() == events, "the sequence is the number of events");
        boolean ended = before.condition() instanceof Condition.Ended;
        hold(!ended || decision.events().isEmpty() || input instanceof RunInput.Resume, "an ended run absorbs");
        hold(ends <= after.execution(), "one ending per execution");
        hold(decision.refusal().isEmpty() || after.equals(before), "a refusal changes nothing");
        asks = after.steps().isEmpty()
                && (asks || decision.commands().stream().anyMatch(RunCommand.AskPermit.class::isInstance));
        conditions(after);
        removedWorktrees(before, after, input);
        alarm(before, decision, input);
        limits(after);
        RunStatistics counted = recount.statistics();
        RunStatistics statistics = after.ledger().statistics();
        hold(counted.equals(statistics), "the statistics are", List.of(counted, statistics));
    }

    /** Every agent that is launched counts, and none is launched where the circuit breaker is reached. */
    private void launches(Decision decision) {
        int agents = (int) decision.commands().stream()
                .filter(RunCommand.Launch.class::isInstance)
                .map(RunCommand.Launch.class::cast)
                .filter(launch ->
                        !launch.recovered() && !launch.step().identity().agent().equals(StepSpecs.CHECK))
                .count();
        boolean reset = decision.events().stream()
                .anyMatch(event ->
                        event instanceof RunResumed resumed && resumed.request().resetStatistics());
        launched = (reset ? 0 : launched) + agents;
        int counted = decision.state().ledger().statistics().totalAttempts();
        hold(launched == counted, "launched agents and totalAttempts:", List.of(launched, counted));
        int breaker = decision.state().limits().stopConditions().circuitBreaker();
        hold(agents == 0 || breaker == 0 || counted <= breaker, "launches within the circuit breaker:", counted);
    }

    private void add(RunEvent event) {
        recount.add(event);
        if (event instanceof StepStarted started) {
            hold(stepIds.add(started.stepId()), "step ids never repeat:", started.stepId());
            hold(nonces.add(started.nonce()), "nonces never repeat");
        } else if (event instanceof RunEnded) {
            ends++;
        }
    }

    /** A run that rests or has ended again needs no worktree but those of attempts under way. */
    private static void removedWorktrees(RunState before, RunState after, RunInput input) {
        boolean goes = RunSlots.holds(before.condition());
        boolean now = before.condition() instanceof Condition.Stopping stopping && stopping.now();
        boolean again = before.condition() instanceof Condition.Stopping;
        boolean atOnce = input instanceof RunInput.Stop stop && (stop.now() || again);
        boolean rests = after.condition() instanceof Condition.Paused || after.condition() instanceof Condition.Ended;
        boolean left = after.git().stream().anyMatch(git -> !git.over().isEmpty());
        hold(
                !goes || now || atOnce || !rests || !left,
                "worktrees of attempts that are over are cleared away before the end");
    }

    /** Alarms are lost with the runtime that set them, and spent when they ring. */
    private void alarm(RunState before, Decision decision, RunInput input) {
        boolean needed = !before.condition().equals(decision.state().condition())
                || input instanceof RunInput.TimerDue
                || input instanceof RunInput.Recover;
        boolean set = decision.commands().stream().anyMatch(RunCommand.WakeAt.class::isInstance);
        boolean waits = decision.state().condition() instanceof Condition.Waiting;
        boolean held = decision.state().condition() instanceof Condition.Waiting waiting
                && waiting.hold().isPresent();
        hold(!waits || !needed || set || held || asks, "a waiting run has an alarm");
    }

    private void conditions(RunState state) {
        boolean open = !state.steps().isEmpty();
        Condition condition = state.condition();
        if (condition instanceof Condition.Running) {
            boolean items = state.cursor().work() instanceof Work.None
                    && state.phase().orElse(null) instanceof EachPhase each
                    && each.itemsFrom().isPresent();
            hold(
                    open || items || asks || !GitRules.awaited(state).isEmpty(),
                    "a running run has an open step, or waits for git or for items");
        } else if (condition instanceof Condition.Waiting) {
            hold(!open, "nothing runs in a waiting run");
        } else if (condition instanceof Condition.Stopping stopping) {
            boolean merges =
                    !open && !stopping.sweeping() && !GitRules.awaited(state).isEmpty();
            hold(merges || asks || open != stopping.sweeping(), "a stopping run has an open step, or sweeps survivors");
        } else {
            hold(!open, "no step is open in a run that is", condition.status());
        }
        if (condition instanceof Condition.Ended) {
            hold(state.pauses().isEmpty() && state.retries().isEmpty(), "nothing is left to come after the end");
        }
    }

    private static void limits(RunState state) {
        Set<String> places = new HashSet<>();
        for (OpenStep step : state.steps().values()) {
            hold(places.add(step.position().key()), "one open step in a place:", step.position());
        }
        if (state.cursor().work() instanceof EachWork each) {
            EachPhase phase = (EachPhase) state.phase().orElseThrow();
            hold(each.count(ItemStatus.RUNNING) <= phase.concurrency(), "items at once");
            boolean within = each.items().values().stream().allMatch(item -> item.attempts() <= each.maxAttempts());
            hold(within, "attempts of an item");
            state.steps()
                    .values()
                    .forEach(step -> step.position()
                            .item()
                            .ifPresent(id -> hold(
                                    each.item(id).status() == ItemStatus.RUNNING,
                                    "only running items have steps:",
                                    id)));
        } else {
            hold(state.steps().size() <= 1, "one step at a time");
        }
    }

    static void hold(boolean holds, String what) {
        hold(holds, what, "");
    }

    /** Puts the fact into words only when it is broken: this is asked millions of times. */
    static void hold(boolean holds, String what, Object fact) {
        if (!holds) {
            throw new AssertionError("broken: " + what + " " + fact);
        }
    }
}
