package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.RunInvariants.hold;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.checkpoint.EventJson;
import dev.loopkeeper.checkpoint.RunHistory;
import dev.loopkeeper.checkpoint.StateJson;
import dev.loopkeeper.rules.message.Capacity;
import dev.loopkeeper.rules.message.GitResult;
import dev.loopkeeper.rules.message.RunCommand;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.EventTypes;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.RunCreated;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.StepSwept;
import dev.loopkeeper.statistics.StopCondition;
import dev.loopkeeper.statistics.StopReason;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.termination.StopCause;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/** One random run: a supervisor that ends what was launched, operators, timers, repetitions, and crashes. */
final class Schedule {
    private record Written(String type, JsonNode data, Instant at) {}

    private final Random random;
    private final RandomEnds ends;
    private final RandomRequests requests;
    private final RunInvariants invariants;
    private final boolean refolds;
    private final int resumes;
    private final int rings;
    private final int ended;
    private final Weights anything;
    private final List<Written> store = new ArrayList<>();
    private final List<Object> story = new ArrayList<>();
    private final List<String> launched = new ArrayList<>();
    private final Set<String> asked = new HashSet<>();
    private final List<String> gone = new ArrayList<>();
    private final Set<RunCommand.Git> gitWork = new LinkedHashSet<>();
    /** Answered, and not requested again since. */
    private final Set<RunCommand.Git> gitDone = new HashSet<>();

    private List<String> sweeping = List.of();
    private Instant now = RunKit.BEGIN;
    private RunState state;

    Schedule(RandomPlans.Plan plan, long seed, boolean refolds) {
        // Of neighbouring seeds the first numbers of Random are the same.
        this.random = new Random(new SplittableRandom(seed).nextLong());
        this.ends = new RandomEnds(random);
        this.requests = new RandomRequests(random);
        this.refolds = refolds;
        this.resumes = 50 + random.nextInt(45);
        this.rings = 40 + random.nextInt(55);
        this.ended = 50 + random.nextInt(45);
        this.anything = new Weights(random, 25, 17, 3, 10, 10, 7, 10, 10, 3, 1, 4);
        RunCreated created = RunKit.created(plan.document(), plan.manifest());
        Decision decision = RunMachine.create(created, now);
        state = decision.state();
        invariants = new RunInvariants(state);
        store(decision);
    }

    /** Runs some inputs, then stops the run and lets it end. */
    RunState run() {
        int inputs = 10 + random.nextInt(random.nextInt(20) == 0 ? 150 : 30);
        feed(new RunInput.Start(now));
        for (int i = 0; i < inputs; i++) {
            now = now.plusMillis(random.nextInt(2000));
            feed(next());
        }
        bringToRest();
        return state;
    }

    private void bringToRest() {
        if (state.condition() instanceof Condition.Ended) {
            return;
        }
        feed(new RunInput.Stop(now, StopCause.OPERATOR, Optional.empty(), false));
        for (String stepId : List.copyOf(launched)) {
            feed(new RunInput.StepEnded(
                    now, stepId, ends.outcome(now, true, state.git().isPresent())));
        }
        while (state.condition() instanceof Condition.Stopping && (sweeps() || !gitWork.isEmpty())) {
            feed(sweeps() ? swept() : gitDone());
        }
        boolean survivors = state.condition() instanceof Condition.Paused;
        hold(survivors || state.condition() instanceof Condition.Ended, "a stop ends once its steps have");
    }

    private RunInput next() {
        int dice = random.nextInt(100);
        if (state.condition() instanceof Condition.Paused || state.condition() instanceof Condition.Ended) {
            return dice < resumes ? new RunInput.Resume(now, requests.next(state)) : anything();
        }
        if (state.condition() instanceof Condition.Queued && dice < 50) {
            return new RunInput.Start(now);
        }
        if (state.condition() instanceof Condition.Waiting waiting && dice < rings) {
            Instant due = waiting.resumeAt().orElseThrow();
            now = now.isAfter(due) ? now : due;
            return new RunInput.TimerDue(now);
        }
        if (sweeps() && dice < 60) {
            return swept();
        }
        if (!gitWork.isEmpty() && (dice < 30 || launched.isEmpty())) {
            return gitDone();
        }
        return dice < ended && !launched.isEmpty() ? stepEnded() : anything();
    }

    /** Git does not answer in the order in which it was asked, but makes one merge after the other. */
    private RunInput gitDone() {
        List<RunCommand.Git> orders = firstOf(gitWork);
        RunCommand.Git order = orders.get(random.nextInt(orders.size()));
        return new RunInput.GitDone(now, order, ends.inGit(order));
    }

    /** It was under way until it was decided what follows. A merge of which no caller waits when its turn comes is not made. */
    private void over(RunCommand.Git order) {
        gitWork.remove(order);
        gitDone.add(order);
        Optional<RunCommand.Git> next = firstMerge(gitWork);
        while (order instanceof RunCommand.MergeItem
                && next.isPresent()
                && !GitRules.awaited(state).contains(next.get())) {
            gitWork.remove(next.get());
            next = firstMerge(gitWork);
        }
    }

    private boolean sweeps() {
        return state.condition() instanceof Condition.Stopping stopping && stopping.sweeping();
    }

    /** Sometimes a survivor continues surviving. */
    private RunInput swept() {
        return new RunInput.Swept(
                now,
                sweeping.stream()
                        .map(stepId -> new StepSwept(
                                stepId,
                                1,
                                random.nextInt(3) == 0 ? List.of("12 sleeper") : List.<String>of(),
                                List.of()))
                        .toList());
    }

    private RunInput stepEnded() {
        String stepId = launched.get(random.nextInt(launched.size()));
        return new RunInput.StepEnded(
                now,
                stepId,
                ends.outcome(now, asked.contains(stepId), state.git().isPresent()));
    }

    private RunInput anything() {
        return switch (anything.pick(random)) {
            case 0 -> new RunInput.Recover(now);
            case 1 -> new RunInput.UsageSeen(now, step(), usage());
            case 2 -> new RunInput.AgentRetries(now, step(), StepEnd.retry(random.nextInt(3)));
            case 3 -> new RunInput.SignalSeen(now, step(), ends.seen());
            case 4 -> new RunInput.Pause(now, Optional.empty());
            case 5 -> stop();
            case 6 -> new RunInput.TimerDue(now);
            case 7 -> gone.isEmpty() ? new RunInput.TimerDue(now) : endedAgain();
            case 8 -> new RunInput.Start(now);
            case 9 -> new RunInput.Broken(now, "no space left on device");
            default -> new RunInput.Resume(now, requests.next(state));
        };
    }

    private RunInput stop() {
        if (random.nextInt(4) == 0) {
            return new RunInput.End(now, "halted", "the office closes", Optional.of("x"), Optional.empty());
        }
        StopCause cause = random.nextBoolean() ? StopCause.OPERATOR : StopCause.SIGNAL;
        return new RunInput.Stop(now, cause, Optional.empty(), random.nextInt(7) == 0);
    }

    private RunInput endedAgain() {
        String stepId = gone.get(random.nextInt(gone.size()));
        return new RunInput.StepEnded(
                now, stepId, ends.outcome(now, false, state.git().isPresent()));
    }

    /** An open one, or one that is gone already: messages are late, or come twice. */
    private String step() {
        List<String> known = random.nextInt(4) == 0 ? gone : launched;
        return known.isEmpty() ? "nowhere.0" : known.get(random.nextInt(known.size()));
    }

    private Usage usage() {
        return new Usage(
                OptionalDouble.of(random.nextInt(8) * 0.1),
                OptionalLong.of(random.nextInt(200)),
                OptionalLong.empty(),
                OptionalLong.of(random.nextInt(3)));
    }

    /** Each input with the events that it led to, one a line. */
    String story() {
        return story.stream().map(Object::toString).collect(Collectors.joining("\n"));
    }

    private void feed(RunInput input) {
        RunState before = state;
        story.add(input);
        if (input instanceof RunInput.Recover) {
            state = refolds ? refolded() : state;
            gitWork.clear(); // the runtime that waited for it is gone
            gitDone.clear();
        }
        boolean placeFree = random.nextInt(4) != 0;
        Decision decision = RunMachine.decide(state, input, placeFree ? Capacity.FREE : Capacity.NONE);
        decision.events().forEach(event -> story.add("    " + EventTypes.of(event) + " " + event.text()));
        invariants.check(before, decision, input);
        hold(placeFree || !takesPlace(before, decision), "a run without a place waits for one");
        state = decision.state();
        if (input instanceof RunInput.Resume resume) {
            progress(before, decision, resume.request());
        }
        store(decision);
        decision.commands().forEach(this::execute);
        if (input instanceof RunInput.StepEnded ended && launched.remove(ended.stepId())) {
            gone.add(ended.stepId());
        }
        if (input instanceof RunInput.GitDone done) {
            over(done.order());
        }
        hold(
                firstOf(GitRules.awaited(state)).stream()
                        .allMatch(order -> gitWork.contains(order) || isAskedLater(order, input)),
                "what is awaited of git was asked for");
        hold(
                !undone(before, input)
                        || !(state.condition() instanceof Condition.Running)
                        || decision.commands().stream().anyMatch(RunCommand.Launch.class::isInstance),
                "what was undone is tried again");
        hold(Set.copyOf(launched).equals(state.steps().keySet()), "the supervisor runs what is open");
    }

    /** It is done, and what else is open must end first: then it is requested, and answered, once more. */
    private boolean isAskedLater(RunCommand.Git order, RunInput input) {
        boolean now = input instanceof RunInput.GitDone done && done.order().equals(order);
        return now || (gitDone.contains(order) && !launched.isEmpty());
    }

    /** Whether something was set back while nothing else was open. */
    private static boolean undone(RunState before, RunInput input) {
        return input instanceof RunInput.GitDone done
                && done.result() instanceof GitResult.Undone
                && GitRules.awaited(before).contains(done.order())
                && before.condition() instanceof Condition.Running
                && before.steps().isEmpty();
    }

    private static Optional<RunCommand.Git> firstMerge(Collection<RunCommand.Git> orders) {
        return orders.stream().filter(RunCommand.MergeItem.class::isInstance).findFirst();
    }

    /** Of merges only the first is requested, and made. */
    private static List<RunCommand.Git> firstOf(Collection<RunCommand.Git> orders) {
        Optional<RunCommand.Git> merge = firstMerge(orders);
        return orders.stream()
                .filter(order -> !(order instanceof RunCommand.MergeItem)
                        || merge.filter(order::equals).isPresent())
                .toList();
    }

    /** To end what survived, and to clear worktrees away, needs no place. */
    private static boolean takesPlace(RunState before, Decision decision) {
        Condition after = decision.state().condition();
        boolean launches = decision.commands().stream().anyMatch(RunCommand.Launch.class::isInstance);
        boolean goes = RunSlots.holds(after) && !(after instanceof Condition.Stopping);
        return !RunSlots.holds(before.condition()) && (goes || launches);
    }

    private void execute(RunCommand command) {
        if (command instanceof RunCommand.Launch launch) {
            String stepId = launch.step().stepId();
            hold(launch.recovered() == launched.contains(stepId), "each step is launched once:", stepId);
            if (!launch.recovered()) {
                launched.add(stepId);
            }
        } else if (command instanceof RunCommand.StopStep stop) {
            asked.add(stop.stepId());
        } else if (command instanceof RunCommand.Sweep sweep) {
            hold(gone.containsAll(sweep.stepIds()), "only what is over is swept again");
            sweeping = sweep.stepIds();
        } else if (command instanceof RunCommand.Git order && gitWork.add(order)) {
            gitDone.remove(order);
        }
    }

    /** A resume that was not forced launches, completes, pauses, or ends for another reason. */
    private static void progress(RunState before, Decision decision, ResumeRequest request) {
        if (decision.events().isEmpty() || request.force()) {
            return;
        }
        boolean launches = decision.commands().stream().anyMatch(RunCommand.Launch.class::isInstance);
        if (before.condition() instanceof Condition.Ended was
                && decision.state().condition() instanceof Condition.Ended is
                && !launches) {
            hold(
                    !is.termination().subtype().equals(was.termination().subtype())
                            || !condition(is).equals(condition(was)),
                    "a resume ends at once again:",
                    is.termination());
        }
        if (before.condition() instanceof Condition.Paused was
                && decision.state().condition() instanceof Condition.Paused is) {
            hold(
                    !is.pause().withSince(was.pause().since()).equals(was.pause()),
                    "a resume pauses at once again:",
                    is.pause());
        }
    }

    private static Optional<StopCondition> condition(Condition.Ended ended) {
        return ended.stopReason().map(StopReason::condition);
    }

    private void store(Decision decision) {
        if (refolds) {
            decision.events()
                    .forEach(event -> store.add(new Written(EventTypes.of(event), EventJson.write(event), now)));
        }
    }

    /** The state as a new runtime sees it, from its events and from a snapshot. */
    private RunState refolded() {
        RunState folded = RunHistory.begin(
                store.get(0).type(), store.get(0).data(), store.get(0).at());
        for (Written written : store.subList(1, store.size())) {
            folded = RunHistory.next(folded, written.type(), written.data(), written.at());
        }
        hold(folded.equals(state), "the events give the state, but " + difference(folded, state));
        RunState loaded = StateJson.read(StateJson.write(state));
        hold(loaded.equals(state), "the snapshot gives the state, but " + difference(loaded, state));
        return random.nextBoolean() ? folded : loaded;
    }

    /** The first parts that differ, the innermost that are records. */
    private static String difference(Object one, Object other) {
        if (one.equals(other)) {
            return "";
        }
        if (!one.getClass().isRecord() || one.getClass() != other.getClass()) {
            return one + " is not " + other;
        }
        try {
            for (RecordComponent part : one.getClass().getRecordComponents()) {
                part.getAccessor().setAccessible(true);
                Object left = part.getAccessor().invoke(one);
                Object right = part.getAccessor().invoke(other);
                if (!left.equals(right)) {
                    return part.getName() + ": " + difference(left, right);
                }
            }
            return "nothing";
        } catch (ReflectiveOperationException broken) {
            throw new IllegalStateException(broken);
        }
    }
}
