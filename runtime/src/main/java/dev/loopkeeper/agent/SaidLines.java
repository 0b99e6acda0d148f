package dev.loopkeeper.agent;

import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.step.OneLine;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Translates the raw bytes of an agent's log to lines for people. Not thread-safe. Memory is bounded: of a raw line
 * over {@value #LONGEST_RAW} bytes, only the length is shown.
 */
public final class SaidLines {
    /** Longest line in characters; the rest is cut. */
    public static final int LONGEST = 500;

    /** Longest output of a tool in bytes of UTF-8; of a longer one the end is kept. */
    public static final int LONGEST_OUTPUT = 16 * 1024;

    static final int LONGEST_RAW = 1024 * 1024;

    private final Translator translator;
    private final LineSplitter lines;
    private final List<SaidLine> said = new ArrayList<>();

    private SaidLines(Translator translator, long offset) {
        this.translator = translator;
        this.lines = new LineSplitter(LONGEST_RAW, offset, new LineSplitter.Sink() {
            @Override
            public void line(byte[] bytes, int from, int length) {
                String raw = new String(bytes, from, length, StandardCharsets.UTF_8).strip();
                if (!raw.isEmpty()) {
                    translator.line(lines.begin(), raw, SaidLines.this::add);
                }
            }

            @Override
            public void tooLong(long length) {
                add(SaidLine.says(lines.begin(), "(a line of " + length + " bytes)"));
            }
        });
    }

    /**
     * Reads the standard output of an agent of this dialect.
     *
     * @param offset log offset of the first byte, at the start of a line
     */
    public static SaidLines ofOutput(OutputDialect dialect, long offset) {
        Translator translator = dialect == OutputDialect.TEXT
                ? Translator.PLAIN
                : new JsonLines(AgentOutput.structured(dialect).words.get());
        return new SaidLines(translator, offset);
    }

    /** Reads standard error, which is plain text in every dialect. */
    public static SaidLines ofErrors(long offset) {
        return new SaidLines(Translator.PLAIN, offset);
    }

    /** Reads the next bytes and returns the lines that they complete. */
    public List<SaidLine> feed(byte[] chunk, int from, int length) {
        lines.feed(chunk, from, length);
        return taken();
    }

    /** Returns the lines of the bytes since the last line feed. */
    public List<SaidLine> finish() {
        lines.finish();
        translator.finish(lines.begin(), this::add);
        return taken();
    }

    private List<SaidLine> taken() {
        List<SaidLine> taken = List.copyOf(said);
        said.clear();
        return taken;
    }

    private void add(SaidLine line) {
        String text = OneLine.of(line.text(), LONGEST);
        if (!text.isEmpty()) {
            Optional<Instant> at = line.at().filter(SaidLines::isBelievable);
            said.add(new SaidLine(line.offset(), at, line.kind(), text, line.output()));
        }
    }

    /** Whether the year has four digits; other times are ignored. */
    private static boolean isBelievable(Instant at) {
        return at.getEpochSecond() >= 0 && at.getEpochSecond() < 253_402_300_800L;
    }
}
