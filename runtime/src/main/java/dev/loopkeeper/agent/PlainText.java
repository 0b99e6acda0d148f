package dev.loopkeeper.agent;

import dev.loopkeeper.step.ErrorKind;
import dev.loopkeeper.step.ErrorRules;
import dev.loopkeeper.step.StepReport;
import dev.loopkeeper.step.StructuredError;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.termination.StandardReason;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reads an agent with unstructured output: its exit code decides. After a failure, the last lines may name an error of
 * the provider or the network. Other lines do not classify the failure, since scripts fail for their own reasons.
 */
final class PlainText implements AgentOutputReader {
    private static final int WORDS = 16 * 1024;
    /** Number of last lines of stdout that are checked: earlier lines are work, which may mention errors. */
    private static final int FINAL_LINES = 5;

    private final ErrorRules rules;
    private final Tail stdout = new Tail(WORDS);
    private final Tail stderr = new Tail(WORDS);

    PlainText(ErrorRules rules) {
        this.rules = rules;
    }

    @Override
    public void stdout(byte[] chunk, int offset, int length) {
        stdout.append(chunk, offset, length);
    }

    @Override
    public void stderr(byte[] chunk, int offset, int length) {
        stderr.append(chunk, offset, length);
    }

    @Override
    public Usage usageSoFar() {
        return Usage.UNKNOWN;
    }

    @Override
    public AgentReport finish(ExitFacts exit, Instant now, ZoneId zone) {
        StepReport ending = ending(exit, new Reading(rules, now, zone));
        return new AgentReport(
                Ending.complete(ending, used(), LastLines.of(exit, stdout, stderr)),
                false,
                Optional.empty(),
                Usage.UNKNOWN,
                false);
    }

    private Usage used() {
        Usage printed = TokenWords.find(stdout.text());
        return printed.equals(Usage.UNKNOWN) ? TokenWords.find(stderr.text()) : printed;
    }

    private StepReport ending(ExitFacts exit, Reading reading) {
        if (exit.raised().isEmpty() && exit.is(0)) {
            return Ending.plain(StandardReason.STOP, "");
        }
        return Ending.of(exit, LastWords.of(stderr, stdout)).orElseGet(() -> byWords(exit, reading));
    }

    private StepReport byWords(ExitFacts exit, Reading reading) {
        List<StructuredError> evidence = Stream.of(stderr.lastLines(LastWords.LINES), stdout.lastLines(FINAL_LINES))
                .flatMap(text -> LastWords.evidence(text).stream())
                .toList();
        if (evidence.isEmpty()) {
            return Ending.plain(
                    StandardReason.EXECUTION_ERROR, "exit " + exit.exitCode().getAsInt());
        }
        StepReport ending = Ending.of(evidence, evidence.get(0), reading);
        boolean classified = ending.error()
                .filter(error -> !error.is(ErrorKind.UNCLASSIFIED))
                .isPresent();
        String code = "exit " + exit.exitCode().getAsInt();
        String said = LastWords.failure(stderr, stdout);
        String diagnostic = said.isBlank() ? code : code + ": " + said;
        return classified ? ending : ending.withError(Optional.empty()).withDiagnostic(Optional.of(diagnostic));
    }
}
