package dev.loopkeeper.agent;

import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.step.ErrorKind;
import dev.loopkeeper.step.ErrorRules;
import dev.loopkeeper.step.ModelTokens;
import dev.loopkeeper.step.OneLine;
import dev.loopkeeper.step.StepReport;
import dev.loopkeeper.step.StructuredError;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.termination.StandardReason;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads an agent with JSON output: its final record outranks its exit code; without one, no step succeeds. */
final class StructuredReader implements AgentOutputReader {
    private static final int WORDS = 16 * 1024;
    private static final int LONGEST_WORD = 4096;
    private static final int LONGEST_TASKS = 500;

    private final Dialect dialect;
    private final ErrorRules rules;
    private final Prices prices;
    private final Tail prose = new Tail(WORDS);
    private final Tail stderr = new Tail(WORDS);
    private final JsonEvents stdoutEvents;
    private final JsonEvents stderrEvents;
    private List<AgentNotice> notices = List.of();
    private final LineSplitter stderrLines = new LineSplitter(LONGEST_WORD, this::errorLine);

    StructuredReader(Dialect dialect, ErrorRules rules, Prices prices) {
        this.dialect = dialect;
        this.rules = rules;
        this.prices = prices;
        stdoutEvents = new JsonEvents(dialect.fields, dialect.types, dialect::event, prose);
        stderrEvents = new JsonEvents(dialect.fields, dialect.types, dialect::diagnostic, new Tail(0));
    }

    @Override
    public void stdout(byte[] chunk, int offset, int length) {
        stdoutEvents.feed(chunk, offset, length);
    }

    @Override
    public void stderr(byte[] chunk, int offset, int length) {
        stderr.append(chunk, offset, length);
        stderrEvents.feed(chunk, offset, length);
        stderrLines.feed(chunk, offset, length);
    }

    private void errorLine(byte[] bytes, int offset, int length) {
        if (bytes[offset] == 'A') { // as in "Attempt 3 failed"
            OwnRetryWords.standardError(new String(bytes, offset, length, StandardCharsets.UTF_8))
                    .ifPresent(retry -> dialect.retries = dialect.retries.plus(retry));
        }
    }

    @Override
    public OwnRetries retries() {
        return dialect.retries;
    }

    @Override
    public boolean hasSucceeded() {
        return dialect.isFinal()
                && dialect.finalRecord().filter(FinalRecord::succeeded).isPresent();
    }

    @Override
    public Usage usageSoFar() {
        return prices.soFar(dialect.usage(), dialect.tokens());
    }

    @Override
    public List<ModelTokens> tokens() {
        return dialect.tokens();
    }

    @Override
    public AgentReport finish(ExitFacts exit, Instant now, ZoneId zone) {
        stdoutEvents.finish();
        stderrEvents.finish();
        Optional<FinalRecord> record = dialect.finalRecord();
        boolean succeeded = record.filter(FinalRecord::succeeded).isPresent();
        // The work of open tasks is lost when the process is killed.
        boolean lost = succeeded && !dialect.isFinal() && (exit.raised().isPresent() || exit.crashed());
        boolean stands = record.isPresent() && (succeeded || exit.raised().isEmpty()) && !lost;
        notices = record.filter(found -> stands).map(this::notices).orElse(List.of());
        Reading reading = new Reading(rules, now, zone);
        StepReport ending = stands ? withRecord(record.get(), exit, reading) : withoutRecord(exit, reading);
        Usage used = prices.of(dialect.usage(), dialect.tokens());
        return new AgentReport(
                Ending.complete(ending, used, LastLines.of(exit, prose, stderr)),
                stands,
                dialect.sessionId.map(Ending::word),
                totals(),
                dialect.worked);
    }

    /** They have the same tokens as the usage, so the increase of the cost is that of the launch. */
    private Usage totals() {
        Usage totals = dialect.sessionTotals();
        return totals.tokens().isPresent() ? prices.of(totals, dialect.tokens()) : totals;
    }

    @Override
    public List<AgentNotice> notices() {
        return notices;
    }

    /** No task outlives the process. */
    private List<AgentNotice> notices(FinalRecord record) {
        Set<String> open = dialect.openTasks();
        String message = "the agent exited after its result while background tasks were open, which ended with it: "
                + OneLine.of(String.join(", ", open), LONGEST_TASKS) + "; check whether their work is missing";
        return (open.isEmpty() ? record : record.withNotice("background-tasks-ended", message)).notices();
    }

    private StepReport withRecord(FinalRecord record, ExitFacts exit, Reading reading) {
        if (record.succeeded() || exit.exitCode().isEmpty()) {
            return Ending.of(record, List.of(), reading);
        }
        String words = stderr.lastLines(LastWords.LINES);
        FinalRecord complete = dialect.completed(record, exit.exitCode().getAsInt());
        List<StructuredError> beside = dialect.usesStderr() ? LastWords.evidence(words) : List.of();
        return Ending.of(complete, beside, reading);
    }

    /** The cause of an idle agent's own retries, if it reported any. */
    private Optional<StepReport> whileRetrying(ExitFacts exit, Reading reading) {
        boolean idle = exit.raised().filter(ErrorKind.IDLE::equals).isPresent();
        return retries()
                .last()
                .filter(retry -> idle)
                .map(retry -> dialect.failure.orElseGet(() -> StructuredError.text(retry.cause())))
                .map(cause -> Ending.of(List.of(), cause, reading))
                .filter(ending ->
                        ending.error().filter(ErrorContext::isTransient).isPresent());
    }

    private StepReport withoutRecord(ExitFacts exit, Reading reading) {
        Optional<StepReport> retrying = whileRetrying(exit, reading);
        if (retrying.isPresent()) {
            return retrying.get();
        }
        String words = stderr.lastLines(LastWords.LINES);
        Optional<FinalRecord> meaning =
                exit.raised().isPresent() || exit.exitCode().isEmpty()
                        ? Optional.empty()
                        : dialect.meaningOf(exit.exitCode().getAsInt(), words);
        if (meaning.isPresent()) {
            return Ending.of(meaning.get(), List.of(), reading);
        }
        return Ending.of(exit, LastWords.of(stderr, prose)).orElseGet(() -> byWords(exit, words, reading));
    }

    private StepReport byWords(ExitFacts exit, String words, Reading reading) {
        String code = "exit " + exit.exitCode().getAsInt() + " without a final record";
        if (exit.is(0)) {
            return Ending.plain(
                    StandardReason.SCHEMA_VALIDATION, words.isBlank() ? code : code + ": " + LastWords.end(words));
        }
        List<StructuredError> evidence = new ArrayList<>();
        dialect.failure.ifPresent(evidence::add);
        evidence.addAll(LastWords.evidence(words));
        evidence.addAll(LastWords.evidence(prose.lastLines(LastWords.LINES)));
        StructuredError otherwise = dialect.failure.orElseGet(() -> StructuredError.text(code));
        String said = dialect.failure.isPresent() ? "" : LastWords.failure(stderr, prose);
        return Ending.after(Ending.of(evidence, otherwise, reading), code, said);
    }
}
