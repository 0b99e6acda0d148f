package dev.loopkeeper.agent.said;

import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.step.OneLine;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Turns the raw bytes of an agent's log into lines for people, as they come. Not for two threads at once; memory is
 * bounded: of a raw line over {@value #LONGEST_RAW} bytes only its length is told.
 */
public final class SaidLines {
    /** Characters of a line; the rest is cut. */
    public static final int LONGEST = 500;

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
     * Reads standard output of an agent of this dialect.
     *
     * @param offset in the log of the first byte that will be fed; the start of a line
     */
    public static SaidLines ofOutput(OutputDialect dialect, long offset) {
        return new SaidLines(
                switch (dialect) {
                    case TEXT -> new PlainLines();
                    case CLAUDE_CODE -> new JsonLines(new ClaudeCodeWords());
                    case CODEX -> new JsonLines(new CodexWords());
                    case OPENCODE -> new JsonLines(new OpenCodeWords());
                    case GEMINI -> new JsonLines(new GeminiWords());
                },
                offset);
    }

    /** Reads standard error, which is plain text in every dialect. */
    public static SaidLines ofErrors(long offset) {
        return new SaidLines(new PlainLines(), offset);
    }

    /** The next bytes, and the lines that they complete. */
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

    /** The lines of what has come since the last line feed. */
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
            add(lines, new SaidLine(lineOffset, Optional.empty(), SaidLine.Kind.SAYS, text));
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
            lines.add(new SaidLine(line.offset(), line.at().filter(SaidLines::isBelievable), line.kind(), text));
        }
    }

    /** Years of four digits; whatever else an agent prints as a time is none. */
    private static boolean isBelievable(Instant at) {
        return at.getEpochSecond() >= 0 && at.getEpochSecond() < 253_402_300_800L;
    }
}
