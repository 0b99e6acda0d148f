package dev.loopkeeper.cli.session;

import dev.loopkeeper.agent.SaidLine;
import dev.loopkeeper.agent.SaidLines;
import dev.loopkeeper.json.WireName;
import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.step.OneLine;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** Writes the bytes of a log, either unchanged or as readable lines. Used by one thread. */
public final class LogSink implements Consumer<byte[]> {
    /** A longer line is printed in parts of this size, so that no agent can exhaust the memory. */
    private static final int LONGEST = 1 << 16;

    private final PrintStream out;
    private final boolean raw;
    private final String prefix;
    private final Function<Optional<Instant>, String> stamps;
    private final byte[] line = new byte[LONGEST];
    private final StringBuilder lines = new StringBuilder();
    private int length;
    private boolean begun;
    private boolean fed;
    private Optional<SaidLines> said = Optional.empty();

    /** @param prefix printed before each line, e.g. {@code [stderr] }; ignored if {@code raw} */
    public LogSink(PrintStream out, boolean raw, String prefix) {
        this(out, raw, prefix, time -> "");
    }

    /** @param stamps returns the text before each line, from the time that the agent's output gives, if any */
    public LogSink(PrintStream out, boolean raw, String prefix, Function<Optional<Instant>, String> stamps) {
        this.stamps = stamps;
        this.out = out;
        this.raw = raw;
        this.prefix = prefix;
    }

    /**
     * Sets the dialect of the output, e.g. {@code codex}; an unknown one is plain text. Called before any bytes arrive.
     */
    void reads(String dialect) {
        said = WireName.find(OutputDialect.class, dialect)
                .filter(known -> known != OutputDialect.TEXT && !raw)
                .map(known -> SaidLines.ofOutput(known, 0));
    }

    /** Prints the lines that these bytes complete at once, as a log may have millions of them. */
    @Override
    public void accept(byte[] bytes) {
        fed |= bytes.length > 0;
        if (raw) {
            write(bytes);
            return;
        }
        if (said.isPresent()) {
            said.get().feed(bytes, 0, bytes.length).forEach(this::add);
        } else {
            split(bytes);
        }
        print();
    }

    private void split(byte... bytes) {
        int start = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '\n') {
                hold(bytes, start, i);
                add(length, true);
                start = i + 1;
            }
        }
        hold(bytes, start, bytes.length);
    }

    private void hold(byte[] bytes, int start, int end) {
        for (int from = start; from < end; ) {
            if (length == LONGEST) {
                addPart();
            }
            int count = Math.min(end - from, LONGEST - length);
            System.arraycopy(bytes, from, line, length, count);
            length += count;
            from += count;
        }
    }

    private void addPart() {
        int whole = wholeLetters();
        byte[] rest = Arrays.copyOfRange(line, whole, length);
        add(whole, false);
        System.arraycopy(rest, 0, line, 0, rest.length);
        length = rest.length;
    }

    /** Returns how many bytes form complete UTF-8 characters. */
    private int wholeLetters() {
        int end = length;
        while (end > length - 4 && (line[end - 1] & 0xC0) == 0x80) {
            end--;
        }
        return end > 1 && (line[end - 1] & 0xC0) == 0xC0 ? end - 1 : length;
    }

    private void add(int count, boolean ends) {
        lines.append(begun ? "" : stamps.apply(Optional.empty()) + prefix)
                .append(OneLine.readable(new String(line, 0, count, StandardCharsets.UTF_8)))
                .append(ends ? "\n" : "");
        begun = !ends;
        length = 0;
    }

    private void add(SaidLine said) {
        String mark = switch (said.kind()) {
            case SAYS -> "";
            case TOOL -> "> ";
            case RESULT -> "  ";
            case USAGE -> "= ";
            case ERROR -> "! ";
        };
        lines.append(stamps.apply(said.at()) + prefix + mark + said.text() + "\n");
    }

    private void print() {
        write(lines.toString().getBytes(StandardCharsets.UTF_8));
        lines.setLength(0);
    }

    private void write(byte... bytes) {
        out.write(bytes, 0, bytes.length);
        out.flush();
    }

    /** Returns whether any bytes arrived. */
    public boolean isFed() {
        return fed;
    }

    /** Prints the text after the last line break. */
    public void end() {
        said.ifPresent(reader -> reader.finish().forEach(this::add));
        if (!raw && (length > 0 || begun)) {
            add(length, true);
        }
        print();
    }
}
