package dev.loopkeeper.agent;

import dev.loopkeeper.step.StructuredError;
import dev.loopkeeper.step.Usage;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads an agent that prints JSON: its record outranks its exit code, and without a record nothing is a success. */
final class StructuredReader implements AgentOutputReader {
    private static final int WORDS = 16 * 1024;
    private static final int LINES = 20;

    private final Dialect dialect;
    private final Tail prose = new Tail(WORDS);
    private final Tail stderr = new Tail(WORDS);
    private final JsonEvents stdoutEvents;
    private final JsonEvents stderrEvents;

    StructuredReader(Dialect dialect) {
        this.dialect = dialect;
        stdoutEvents = new JsonEvents(dialect.wanted(), dialect.types(), dialect::event, prose);
        stderrEvents = new JsonEvents(dialect.wanted(), dialect.types(), dialect::diagnostic, new Tail(0));
    }

    @Override
    public void stdout(byte[] chunk, int offset, int length) {
        stdoutEvents.feed(chunk, offset, length);
    }

    @Override
    public void stderr(byte[] chunk, int offset, int length) {
        stderr.append(chunk, offset, length);
        stderrEvents.feed(chunk, offset, length);
    }

    @Override
    public Usage usageSoFar() {
        return dialect.usage();
    }

    @Override
    public AgentReport finish(ExitFacts exit, Instant now, ZoneId zone) {
        stdoutEvents.finish();
        stderrEvents.finish();
        Optional<FinalRecord> told = dialect.finalRecord();
        boolean stands =
                told.isPresent() && (told.get().succeeded() || exit.raised().isEmpty());
        Ending ending = stands ? Ending.of(told.get(), now, zone) : withoutRecord(exit, now, zone);
        return ending.report(stands, dialect.usage(), dialect.sessionId());
    }

    private Ending withoutRecord(ExitFacts exit, Instant now, ZoneId zone) {
        String words = stderr.lastLines(LINES);
        Optional<FinalRecord> meaning =
                exit.raised().isPresent() || exit.exitCode().isEmpty()
                        ? Optional.empty()
                        : dialect.meaningOf(exit.exitCode().getAsInt(), words);
        if (meaning.isPresent()) {
            return Ending.of(meaning.get(), now, zone);
        }
        return Ending.of(exit, words).orElseGet(() -> byWords(exit, words, now, zone));
    }

    private Ending byWords(ExitFacts exit, String words, Instant now, ZoneId zone) {
        String code = "exit " + exit.exitCode().getAsInt() + " without a final record";
        if (exit.is(0)) {
            return Ending.plain(Subtypes.SCHEMA_VALIDATION, words.isBlank() ? code : code + ": " + words);
        }
        List<StructuredError> evidence = Stream.concat(
                        dialect.trouble().stream(),
                        Stream.of(words, prose.lastLines(LINES), code)
                                .filter(text -> !text.isBlank())
                                .map(StructuredError::text))
                .toList();
        return Ending.of(evidence, now, zone);
    }
}
