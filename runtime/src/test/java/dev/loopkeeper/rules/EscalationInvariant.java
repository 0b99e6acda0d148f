package dev.loopkeeper.rules;

import dev.loopkeeper.manifest.AgentSpec;
import dev.loopkeeper.manifest.EscalateSpec;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.run.ItemFinished;
import dev.loopkeeper.run.IterationFinished;
import dev.loopkeeper.run.PhaseFinished;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.run.RunResumed;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.StepFinished;
import dev.loopkeeper.run.StepStarted;
import dev.loopkeeper.run.step.StepKind;
import dev.loopkeeper.run.step.StepPosition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Plays all tries of a loop, item, task or gate again, in order, to find who works next. */
final class EscalationInvariant {
    /** By phase and item, the verdicts since it began. */
    private final Map<String, List<String>> tries = new HashMap<>();

    void add(RunEvent event, RunState state) {
        if (event instanceof IterationFinished finished && finished.result().counts()) {
            add(finished.phase(), "", finished.result().verdict().wire());
        } else if (event instanceof ItemFinished finished && finished.ended().isPresent()) {
            add(finished.phase(), finished.item(), finished.outcome().wire());
        } else if (event instanceof StepFinished finished && finished.consumed() && isSingle(finished.position())) {
            add(finished.phase(), "", finished.note().outcome().wire());
        } else if (event instanceof PhaseFinished finished) {
            boolean over = state.manifest()
                    .phase(Math.max(0, finished.next() - 1))
                    .name()
                    .equals(finished.phase());
            tries.keySet().removeIf(unit -> unit.startsWith(finished.phase() + "/") && (over || !unit.endsWith("/")));
        } else if (event instanceof RunResumed resumed) {
            resumed.request().resetItems().forEach(item -> tries.keySet().removeIf(unit -> unit.endsWith("/" + item)));
        } else if (event instanceof StepStarted started) {
            started(started, state.manifest());
        }
    }

    private static boolean isSingle(StepPosition position) {
        return position.kind() == StepKind.TASK || position.kind() == StepKind.GATE;
    }

    private void add(String phase, String item, String verdict) {
        tries.computeIfAbsent(phase + "/" + item, unit -> new ArrayList<>()).add(verdict);
    }

    private void started(StepStarted started, Manifest manifest) {
        StepPosition position = started.position();
        boolean declared = position.isWork() || isSingle(position);
        if (position.kind() == StepKind.CHECK || !declared) {
            hold(started.escalatedFrom().isEmpty(), started);
            return;
        }
        List<String> verdicts =
                tries.getOrDefault(position.phase() + "/" + position.item().orElse(""), List.of());
        String named = manifest.phases().stream()
                .filter(phase -> phase.name().equals(position.phase()))
                .findFirst()
                .orElseThrow()
                .agents()
                .get(position.index());
        String works = played(named, verdicts, manifest);
        List<String> fallbacks = manifest.agent(works).map(AgentSpec::fallback).orElse(List.of());
        hold(started.agent().equals(works) || fallbacks.contains(started.agent()), started);
        hold(started.escalatedFrom().equals(Optional.of(named).filter(name -> !name.equals(works))), started);
    }

    private static String played(String named, List<String> verdicts, Manifest manifest) {
        String works = named;
        int streak = 0;
        for (String verdict : verdicts) {
            boolean rejected = verdict.equals("STALLED") || verdict.equals("rejected");
            boolean handsBack =
                    List.of("SUCCESS", "MILESTONE_SUCCESS", "approved").contains(verdict);
            works = handsBack ? named : works;
            streak = rejected ? streak + 1 : 0;
            Optional<EscalateSpec> next = manifest.agent(works).flatMap(AgentSpec::escalate);
            if (next.isPresent() && streak >= next.get().after()) {
                works = next.get().to();
                streak = 0;
            }
        }
        return works;
    }

    private static void hold(boolean right, StepStarted started) {
        if (!right) {
            throw new AssertionError("the agent of the escalation: " + started);
        }
    }
}
