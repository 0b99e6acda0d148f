package dev.loopkeeper.rules;

import dev.loopkeeper.manifest.GatePhase;
import dev.loopkeeper.rules.message.ResumeForm;
import dev.loopkeeper.run.Condition;
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
            return form(pause.allowedActions(), new NeededFields(state).inPause(), goingOn, Optional.of(pause));
        }
        if (condition instanceof Condition.Ended ended && !ended.termination().success()) {
            Termination termination = ended.termination();
            return form(again, new NeededFields(state).afterEnding(termination), again, Optional.empty());
        }
        boolean held = condition instanceof Condition.Queued queued && !queued.start();
        if (held || condition instanceof Condition.Waiting) {
            return form(again, new NeededFields(state).inPause(), again, Optional.empty());
        }
        return new ResumeForm(List.of(), List.of(), List.of(), Map.of());
    }

    private ResumeForm form(
            List<ResumeAction> actions, List<ResumeField> fields, List<ResumeAction> needing, Optional<Pause> pause) {
        List<ResumeField> needs =
                fields.stream().map(field -> field.withActions(needing)).toList();
        Map<ResumeAction, String> effects = new LinkedHashMap<>();
        actions.forEach(action -> effects.put(action, ResumeOutlook.of(state, action)));
        return new ResumeForm(actions, needs, accepts(needs, pause), effects);
    }

    private List<ResumeField> accepts(List<ResumeField> needs, Optional<Pause> pause) {
        Set<String> asked = needs.stream()
                .flatMap(need -> Stream.concat(Stream.of(need), need.alternatives().stream()))
                .map(ResumeField::field)
                .collect(Collectors.toSet());
        List<ResumeField> accepts = new ArrayList<>();
        accepts.add(feedback(pause));
        accepts.addAll(BudgetRules.fields(state, false));
        if (state.cursor().work() instanceof LoopWork loop) {
            accepts.add(NeededFields.maxIterations(loop));
        } else if (state.cursor().work() instanceof EachWork each) {
            accepts.addAll(ofItems(each));
        }
        state.phase()
                .filter(GatePhase.class::isInstance)
                .ifPresent(gate -> accepts.add(ResumeField.of(
                                "waive", ResumeField.Type.CHOICE, "the run continues although this gate has not passed")
                        .among(List.of(gate.name()))));
        if (state.condition() instanceof Condition.Ended) {
            accepts.addAll(new NeededFields(state).exceeded());
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
