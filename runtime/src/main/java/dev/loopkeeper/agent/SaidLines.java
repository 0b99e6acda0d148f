package dev.loopkeeper.agent;

import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.step.OneLine;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
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
    private byte[] held = new byte[4096];
    private int heldLength;
    private long lineLength;
    private long lineOffset;

    private SaidLines(Translator translator, long offset) {
        this.translator = translator;
        this.lineOffset = offset;
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
        List<SaidLine> lines = new ArrayList<>();
        int start = from;
        for (int i = from; i < from + length; i++) {
            if (chunk[i] == '\n') {
                hold(chunk, start, i - start);
                endLine(lines, 1);
                start = i + 1;
            }
        }
        hold(chunk, start, from + length - start);
        return lines;
    }

    /** Returns the lines of the bytes since the last line feed. */
    public List<SaidLine> finish() {
        List<SaidLine> lines = new ArrayList<>();
        if (lineLength > 0) {
            endLine(lines, 0);
        }
        translator.finish(lineOffset, line -> add(lines, line));
        return lines;
    }

    private void hold(byte[] chunk, int start, int count) {
        int kept = Math.min(count, LONGEST_RAW - heldLength);
        if (heldLength + kept > held.length) {
            held = Arrays.copyOf(held, Math.min(LONGEST_RAW, Math.max(heldLength + kept, 2 * held.length)));
        }
        System.arraycopy(chunk, start, held, heldLength, kept);
        heldLength += kept;
        lineLength += count;
    }

    private void endLine(List<SaidLine> lines, int feeds) {
        if (lineLength > heldLength) {
            String text = "(a line of " + lineLength + " bytes)";
            add(lines, SaidLine.says(lineOffset, text));
        } else {
            String raw = new String(held, 0, heldLength, StandardCharsets.UTF_8).strip();
            if (!raw.isEmpty()) {
                translator.line(lineOffset, raw, line -> add(lines, line));
            }
        }
        lineOffset += lineLength + feeds;
        heldLength = 0;
        lineLength = 0;
    }

    private static void add(List<SaidLine> lines, SaidLine line) {
        String text = OneLine.of(line.text(), LONGEST);
        if (!text.isEmpty()) {
            Optional<Instant> at = line.at().filter(SaidLines::isBelievable);
            lines.add(new SaidLine(line.offset(), at, line.kind(), text, line.output()));
        }
    }

    /** Whether the year has four digits; other times are ignored. */
    private static boolean isBelievable(Instant at) {
        return at.getEpochSecond() >= 0 && at.getEpochSecond() < 253_402_300_800L;
    }
}
