package dev.loopkeeper.rules;

import dev.loopkeeper.manifest.LoopPhase;
import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.manifest.ProgramSpec;
import dev.loopkeeper.manifest.Until;
import dev.loopkeeper.rules.message.StepOutcome;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.step.OpenStep;
import dev.loopkeeper.run.step.StepKind;
import dev.loopkeeper.run.step.StepSummary;
import dev.loopkeeper.run.step.Verdict;
import dev.loopkeeper.step.Sha256;
import dev.loopkeeper.verdict.Normaliser;
import dev.loopkeeper.verdict.Signal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Creates short texts that are equal for steps, and iterations, with the same result. */
final class Fingerprints {
    private static final int LENGTH = 32;

    private Fingerprints() {}

    static String of(RunState state, OpenStep step, Optional<Signal> signal, StepOutcome outcome) {
        return hash(signal.map(Signal::deciding).orElse(List.of())
                + "\n"
                + outcome.exit().exitCode()
                + '\n'
                + output(state, step, outcome)
                + '\n'
                + outcome.digests().workspaceDigest());
    }

    /** What a program prints may be all that it does. The words of a model differ each time and prove nothing. */
    private static String output(RunState state, OpenStep step, StepOutcome outcome) {
        if (step.position().kind() == StepKind.CHECK) {
            return Normaliser.text(outcome.report().lastLines().orElse(""));
        }
        boolean plain = isPlain(state.manifest().agents().get(step.agent()).program());
        return plain ? outcome.digests().outputDigest() : "";
    }

    private static boolean isPlain(ProgramSpec program) {
        return program.output() == OutputDialect.TEXT && program.signal().isEmpty();
    }

    /** What is the same in iterations with equal fingerprints, for people. */
    static List<String> compared(RunState state, LoopPhase phase) {
        List<ProgramSpec> programs = phase.steps().stream()
                .map(step -> state.manifest().agents().get(step.agent()).program())
                .toList();
        Map<String, Boolean> parts = new LinkedHashMap<>();
        parts.put("verdict", true);
        parts.put(
                "signals",
                programs.stream().anyMatch(program -> program.signal().isPresent()));
        parts.put("exit codes", true);
        parts.put("output", programs.stream().anyMatch(Fingerprints::isPlain));
        parts.put("until.command", phase.until() instanceof Until.Command);
        parts.put("workspace", true);
        parts.values().removeIf(part -> !part);
        return List.copyOf(parts.keySet());
    }

    static String of(Verdict verdict, List<StepSummary> notes) {
        StringBuilder all = new StringBuilder(verdict.wire());
        notes.forEach(note -> all.append('\n')
                .append(note.agent())
                .append(' ')
                .append(note.loop().fingerprint()));
        return hash(all.toString());
    }

    private static String hash(String text) {
        return Sha256.hex(text).substring(0, LENGTH);
    }
}
