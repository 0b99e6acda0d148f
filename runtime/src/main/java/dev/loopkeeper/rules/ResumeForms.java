package dev.loopkeeper.rules;

import dev.loopkeeper.manifest.GatePhase;
import dev.loopkeeper.rules.ResumeNeeds.Need;
import dev.loopkeeper.rules.message.ResumeForm;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.progress.EachWork;
import dev.loopkeeper.run.progress.ItemWork;
import dev.loopkeeper.run.progress.LoopWork;
import dev.loopkeeper.run.step.Pause;
import dev.loopkeeper.termination.ResumeAction;
import dev.loopkeeper.termination.ResumeField;
import dev.loopkeeper.termination.Termination;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Builds the form for resuming a run. */
public final class ResumeForms {
    private final RunState state;

    private ResumeForms(RunState state) {
        this.state = state;
    }

    /** The form for a run in its current state; empty when a resume is refused or changes nothing. */
    public static ResumeForm of(RunState state) {
        return new ResumeForms(state).form();
    }

    /** What a plain resume requires, e.g. {@code a resume requires maxIterations above 6, or feedback}. */
    public static String requirement(RunState state) {
        ResumeNeeds plain = new ResumeForms(state).plain();
        List<List<Need>> needs = state.condition() instanceof Condition.Ended ended
                ? plain.afterEnding(ended.termination())
                : plain.inPause();
        return needs.isEmpty() ? ResumeNeeds.REQUIRES + "nothing more" : plain.sentence(needs);
    }

    private ResumeForm form() {
        Condition condition = state.condition() instanceof Condition.Queued queued
                ? queued.rest().filter(rest -> !queued.start()).orElse(queued)
                : state.condition();
        List<ResumeAction> again = List.of(ResumeAction.CONTINUE);
        if (condition instanceof Condition.Paused paused) {
            Pause pause = paused.pause();
            List<ResumeAction> goingOn = pause.allowedActions().stream()
                    .filter(action -> action != ResumeAction.STOP_LOOP_NOW)
                    .toList();
            return form(pause.allowedActions(), plain().inPause(), goingOn, Optional.of(pause));
        }
        if (condition instanceof Condition.Ended ended && !ended.termination().success()) {
            Termination termination = ended.termination();
            return form(again, plain().afterEnding(termination), again, Optional.empty());
        }
        boolean held = condition instanceof Condition.Queued queued && !queued.start();
        if (held || condition instanceof Condition.Waiting) {
            return form(again, plain().inPause(), again, Optional.empty());
        }
        return new ResumeForm(List.of(), List.of(), List.of(), Map.of());
    }

    private ResumeForm form(
            List<ResumeAction> actions, List<List<Need>> required, List<ResumeAction> needing, Optional<Pause> pause) {
        List<ResumeField> needs =
                required.stream().map(ways -> field(ways).withActions(needing)).toList();
        Map<ResumeAction, String> effects = new LinkedHashMap<>();
        actions.forEach(action -> effects.put(action, ResumeOutlook.of(state, action)));
        return new ResumeForm(actions, needs, accepts(needs, pause), effects);
    }

    private ResumeNeeds plain() {
        return new ResumeNeeds(state, ResumeRequest.PLAIN);
    }

    private static ResumeField field(List<Need> ways) {
        List<ResumeField> fields = ways.stream().map(Need::field).toList();
        return fields.get(0).withAlternatives(fields.subList(1, fields.size()));
    }

    private List<ResumeField> accepts(List<ResumeField> needs, Optional<Pause> pause) {
        Set<String> asked = needs.stream()
                .flatMap(need -> Stream.concat(Stream.of(need), need.alternatives().stream()))
                .map(ResumeField::field)
                .collect(Collectors.toSet());
        List<ResumeField> accepts = new ArrayList<>();
        accepts.add(feedback(pause));
        BudgetRules.caps(state, state.limits().budget(), false).forEach(cap -> accepts.add(cap.field()));
        if (state.cursor().work() instanceof LoopWork loop) {
            accepts.add(NeededFields.maxIterations(loop));
        } else if (state.cursor().work() instanceof EachWork each) {
            accepts.addAll(ofItems(each));
        }
        state.phase()
                .filter(GatePhase.class::isInstance)
                .ifPresent(gate -> accepts.add(ResumeField.of(
                                "waive", ResumeField.Type.CHOICE, "the run continues although this gate has not passed")
                        .withChoices(List.of(gate.name()))));
        if (state.condition() instanceof Condition.Ended) {
            plain().thresholds().forEach(reason -> accepts.add(NeededFields.threshold(reason)));
        }
        accepts.add(NeededFields.resetStatistics());
        if (!needs.isEmpty()) {
            accepts.add(NeededFields.force("resume although something is missing; this is recorded"));
        }
        accepts.removeIf(field -> asked.contains(field.field()));
        return List.copyOf(accepts);
    }

    private static ResumeField feedback(Optional<Pause> pause) {
        List<String> questions = pause.map(Pause::questions).orElse(List.of());
        return NeededFields.feedback(
                        questions.isEmpty() ? "an instruction for the next step" : "answers for the next step")
                .withQuestions(questions);
    }

    private static List<ResumeField> ofItems(EachWork each) {
        List<String> lost = each.ids(ItemWork::isLost);
        ResumeField attempts = NeededFields.maxAttempts(each, each.leastAttempts());
        return lost.isEmpty() ? List.of(attempts) : List.of(attempts, NeededFields.resetItems(lost));
    }
}
