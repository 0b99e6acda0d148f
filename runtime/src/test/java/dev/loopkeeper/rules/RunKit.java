package dev.loopkeeper.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.rules.message.Capacity;
import dev.loopkeeper.rules.message.GitResult;
import dev.loopkeeper.rules.message.LaunchGates;
import dev.loopkeeper.rules.message.Refusal;
import dev.loopkeeper.rules.message.RunCommand;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.rules.message.SignalInUse;
import dev.loopkeeper.rules.message.StepOutcome;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.EventTypes;
import dev.loopkeeper.run.RunCreated;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.run.StepSwept;
import dev.loopkeeper.run.git.Changed;
import dev.loopkeeper.run.git.GitOrigin;
import dev.loopkeeper.run.git.Merge;
import dev.loopkeeper.run.step.OpenStep;
import dev.loopkeeper.run.step.Pause;
import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.termination.ResumeAction;
import dev.loopkeeper.termination.StopCause;
import dev.loopkeeper.termination.Termination;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A run on paper: feeds inputs to the machine, checks what must hold after each, and remembers what came of them. */
final class RunKit {
    static final Instant BEGIN = Instant.parse("2026-11-20T15:00:00Z");

    private final List<RunEvent> history = new ArrayList<>();
    private final List<Instant> times = new ArrayList<>();
    private final RunInvariants invariants;
    private RunState state;
    private Decision last;
    private Instant now = BEGIN;
    private int fresh;
    private Capacity capacity = Capacity.FREE;
    private LaunchGates gates = LaunchGates.OPEN;

    private RunKit(String yaml, boolean start) {
        JsonNode document = Manifests.document(yaml);
        RunCreated created = created(document, Manifests.read(document), start);
        last = RunMachine.create(created, now);
        state = last.state();
        remember(now);
        invariants = new RunInvariants(state);
    }

    /** A run with worktrees has a repository. */
    static RunCreated created(JsonNode document, Manifest manifest) {
        return created(document, manifest, true);
    }

    private static RunCreated created(JsonNode document, Manifest manifest, boolean start) {
        Optional<GitOrigin> git = manifest.isolation().map(isolation -> new GitOrigin("/work", "", "base"));
        return new RunCreated(
                "run-1",
                "demo",
                "n0nce",
                "/work",
                "/work",
                start,
                document,
                manifest,
                git,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    static RunKit queued(String yaml) {
        return new RunKit(yaml, true);
    }

    /** One that a person is to start. */
    static RunKit held(String yaml) {
        return new RunKit(yaml, false);
    }

    /** One whose agents {@code dev} and {@code judge} are launched with a permit only. */
    static RunKit asking(String yaml) {
        return queued(yaml).guarded("dev", "judge").feed(new RunInput.Start(BEGIN));
    }

    static RunKit started(String yaml) {
        return queued(yaml).feed(new RunInput.Start(BEGIN));
    }

    @CanIgnoreReturnValue
    RunKit feed(RunInput input) {
        RunState before = state;
        last = RunMachine.decide(before, input, input.at(), capacity, gates);
        invariants.check(before, last, input);
        state = last.state();
        remember(input.at());
        return this;
    }

    private void remember(Instant at) {
        history.addAll(last.events());
        last.events().forEach(event -> times.add(at));
    }

    /** From now on these agents are launched with a permit only. */
    @CanIgnoreReturnValue
    RunKit guarded(String... agents) {
        gates = (run, agent) -> List.of(agents).contains(agent);
        return this;
    }

    /** The step at the position of the last request is permitted. */
    @CanIgnoreReturnValue
    RunKit permitted() {
        return feed(new RunInput.Permitted(tick(), Set.copyOf(asked())));
    }

    /** The last requests for a permit. */
    List<String> asked() {
        return last.commands().stream()
                .filter(RunCommand.AskPermit.class::isInstance)
                .map(command -> ((RunCommand.AskPermit) command).slot())
                .toList();
    }

    /** The launches of this run wait for a pool. */
    @CanIgnoreReturnValue
    RunKit held(Optional<Instant> resumeAt) {
        return feed(new RunInput.Held(tick(), StepEnd.held(resumeAt)));
    }

    /** From now on other runs have all the places, or one is left for this run. */
    @CanIgnoreReturnValue
    RunKit placeFree(boolean free) {
        capacity = free ? Capacity.FREE : Capacity.NONE;
        return this;
    }

    /** From now on another run has a signal file of this one. */
    @CanIgnoreReturnValue
    RunKit signalInUse(String path, String runId) {
        capacity = new Capacity(true, Optional.of(new SignalInUse(path, runId)));
        return this;
    }

    /** The scheduler offers a place. */
    @CanIgnoreReturnValue
    RunKit start() {
        return feed(new RunInput.Start(tick()));
    }

    /** The open step of this agent, or with this id, ends so. */
    @CanIgnoreReturnValue
    RunKit ends(String agentOrStepId, StepEnd end) {
        tick();
        OpenStep step = step(agentOrStepId);
        fresh++;
        return feed(new RunInput.StepEnded(now, step.stepId(), end.outcome(now, "output " + fresh)));
    }

    /** The step ends and has changed these protected files. */
    RunKit touches(String agentOrStepId, StepEnd end, String... files) {
        OpenStep step = step(agentOrStepId);
        fresh++;
        tick();
        return feed(new RunInput.StepEnded(
                now, step.stepId(), end.outcome(now, "output " + fresh).rejectedFor(List.of(files), List.of())));
    }

    /** As {@link #ends}, and its run is notified of it so much later. */
    RunKit endsLate(String agentOrStepId, StepEnd end, Duration late) {
        Instant ended = tick();
        OpenStep step = step(agentOrStepId);
        fresh++;
        StepOutcome outcome = end.outcome(ended, "output " + fresh);
        return later(late).feed(new RunInput.StepEnded(now, step.stepId(), outcome));
    }

    /** It ended then, as is found only now. */
    RunKit reports(String agentOrStepId, StepEnd end, Instant endedAt) {
        OpenStep step = step(agentOrStepId);
        fresh++;
        return feed(new RunInput.StepEnded(now, step.stepId(), end.outcome(endedAt, "output " + fresh)));
    }

    /** Each of these agents' open steps ends so, one after the other. */
    @CanIgnoreReturnValue
    RunKit inTurn(StepEnd end, String... agents) {
        for (String agent : agents) {
            ends(agent, end);
        }
        return this;
    }

    @CanIgnoreReturnValue
    RunKit uses(String agent, Usage usage) {
        return feed(new RunInput.UsageSeen(tick(), step(agent).stepId(), usage));
    }

    @CanIgnoreReturnValue
    RunKit retries(String agent, int attempt) {
        return feed(new RunInput.AgentRetries(now, step(agent).stepId(), StepEnd.retry(attempt)));
    }

    /** The agent asks a person for five minutes. */
    @CanIgnoreReturnValue
    RunKit asks(String agent, String question, String... choices) {
        Instant at = tick();
        return feed(new RunInput.Ask(
                at, step(agent).stepId(), "key " + at, question, List.of(choices), Duration.ofMinutes(5)));
    }

    /** A person answers the oldest open ask. */
    @CanIgnoreReturnValue
    RunKit answers(String answer) {
        return answers(state.openAsks().get(0).askId(), answer, "alice");
    }

    @CanIgnoreReturnValue
    RunKit answers(String askId, String answer, String by) {
        return feed(new RunInput.Answer(tick(), askId, answer, by));
    }

    @CanIgnoreReturnValue
    RunKit stop() {
        return feed(new RunInput.Stop(tick(), StopCause.OPERATOR, Optional.empty(), false));
    }

    @CanIgnoreReturnValue
    RunKit stop(StopCause cause, boolean atOnce) {
        return feed(new RunInput.Stop(tick(), cause, Optional.of("asked to"), atOnce));
    }

    @CanIgnoreReturnValue
    RunKit end(String reasonCode, String summary) {
        return feed(new RunInput.End(tick(), reasonCode, summary, Optional.of("seat 7"), Optional.empty()));
    }

    @CanIgnoreReturnValue
    RunKit pause() {
        return feed(new RunInput.Pause(tick(), Optional.empty()));
    }

    @CanIgnoreReturnValue
    RunKit resume(Resume request) {
        return feed(new RunInput.Resume(tick(), request.request()));
    }

    @CanIgnoreReturnValue
    RunKit timer() {
        return feed(new RunInput.TimerDue(tick()));
    }

    /** The sweep of survivors that a stop waits for leaves these. */
    @CanIgnoreReturnValue
    RunKit swept(String... survivors) {
        return feed(new RunInput.Swept(
                tick(), List.of(new StepSwept("build.1.dev.1", 2 - survivors.length, List.of(survivors), List.of()))));
    }

    /** What is asked of git now; the first of this kind. */
    <G extends RunCommand.Git> G asked(Class<G> kind) {
        return GitRules.awaited(state).stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .findFirst()
                .orElseThrow(() -> new AssertionError("nothing of " + kind.getSimpleName() + " is awaited"));
    }

    /** Git has done the first thing of this kind that it was requested. */
    @CanIgnoreReturnValue
    RunKit git(Class<? extends RunCommand.Git> kind, GitResult result) {
        return feed(new RunInput.GitDone(tick(), asked(kind), result));
    }

    /** The first merge that is due is made, as this commit. */
    @CanIgnoreReturnValue
    RunKit merged(String commit) {
        Changed changed = new Changed(1, 2, 3);
        return git(
                RunCommand.MergeItem.class,
                new GitResult.Merged(new Merge(Optional.of(commit), commit, List.of(), changed, changed)));
    }

    /** The first merge that is due meets conflicts in these files. */
    @CanIgnoreReturnValue
    RunKit conflicts(String... files) {
        return conflictsAt(state.git().orElseThrow().head(), files);
    }

    /** The same where the run's branch has come to this commit. */
    @CanIgnoreReturnValue
    RunKit conflictsAt(String head, String... files) {
        return git(
                RunCommand.MergeItem.class,
                new GitResult.Merged(
                        new Merge(Optional.empty(), head, List.of(files), Changed.NOTHING, Changed.NOTHING)));
    }

    /** The worktrees of attempts that are over are gone. */
    @CanIgnoreReturnValue
    RunKit dropped() {
        while (!state.git().orElseThrow().over().isEmpty()) {
            git(RunCommand.DropWorktree.class, new GitResult.Finished(Optional.empty()));
        }
        return this;
    }

    /** The worktree of a complete run is removed. */
    @CanIgnoreReturnValue
    RunKit cleared() {
        return git(RunCommand.FinishWorktree.class, new GitResult.Finished(Optional.empty()));
    }

    /** The runtime dies and another one takes over. */
    @CanIgnoreReturnValue
    RunKit crash() {
        return feed(new RunInput.Recover(tick()));
    }

    @CanIgnoreReturnValue
    RunKit later(Duration wait) {
        now = now.plus(wait);
        return this;
    }

    @CanIgnoreReturnValue
    private Instant tick() {
        now = now.plusMillis(1500);
        return now;
    }

    Instant now() {
        return now;
    }

    RunState state() {
        return state;
    }

    List<RunEvent> history() {
        return history;
    }

    /** When each event of the history happened. */
    List<Instant> times() {
        return times;
    }

    OpenStep step(String agentOrStepId) {
        return state.steps().values().stream()
                .filter(step ->
                        step.agent().equals(agentOrStepId) || step.stepId().equals(agentOrStepId))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no open step " + agentOrStepId + " among " + open()));
    }

    List<String> open() {
        return List.copyOf(state.steps().keySet());
    }

    /** Types of the events of the last decision. */
    List<String> types() {
        return last.events().stream().map(EventTypes::of).toList();
    }

    long count(String type) {
        return history.stream()
                .filter(event -> EventTypes.of(event).equals(type))
                .count();
    }

    <E extends RunEvent> E lastEvent(Class<E> kind) {
        return last.events().stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .reduce((first, second) -> second)
                .orElseThrow(() -> new AssertionError("no " + kind.getSimpleName() + " among " + types()));
    }

    <C extends RunCommand> List<C> commands(Class<C> kind) {
        return last.commands().stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    StepSpec launched() {
        List<RunCommand.Launch> launches = commands(RunCommand.Launch.class);
        assertThat(launches).hasSize(1);
        return launches.get(0).step();
    }

    RunStatus status() {
        return state.status();
    }

    Pause paused() {
        assertThat(state.condition()).isInstanceOf(Condition.Paused.class);
        return ((Condition.Paused) state.condition()).pause();
    }

    Termination ended() {
        assertThat(state.condition()).isInstanceOf(Condition.Ended.class);
        return ((Condition.Ended) state.condition()).termination();
    }

    String subtype() {
        return ended().subtype();
    }

    Refusal refused() {
        assertThat(last.events()).isEmpty();
        return last.refusal().orElseThrow(() -> new AssertionError("not refused"));
    }

    /** What may be done instead of what was refused. */
    @SuppressWarnings("unchecked")
    List<ResumeAction> allowed() {
        return (List<ResumeAction>) refused().details().get("allowedActions");
    }

    /** What the refused resume lacks. */
    @SuppressWarnings("unchecked")
    List<String> missing() {
        return (List<String>) refused().details().get("missing");
    }

    Decision last() {
        return last;
    }
}
