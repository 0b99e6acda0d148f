package dev.loopkeeper.cli.session;

import dev.loopkeeper.agent.SaidLine;
import dev.loopkeeper.agent.SaidLines;
import dev.loopkeeper.json.WireName;
import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.step.OneLine;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
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

    @Override
    public void accept(byte[] bytes) {
        fed |= bytes.length > 0;
        if (raw) {
            out.write(bytes, 0, bytes.length);
            out.flush();
            return;
        }
        if (said.isPresent()) {
            said.get().feed(bytes, 0, bytes.length).forEach(this::print);
            out.flush();
            return;
        }
        for (byte letter : bytes) {
            if (letter == '\n') {
                print(length, true);
            } else {
                add(letter);
            }
        }
        out.flush();
    }

    private void add(byte letter) {
        if (length == LONGEST) {
            int whole = wholeLetters();
            byte[] rest = new byte[length - whole];
            System.arraycopy(line, whole, rest, 0, rest.length);
            print(whole, false);
            System.arraycopy(rest, 0, line, 0, rest.length);
            length = rest.length;
        }
        line[length++] = letter;
    }

    /** Returns how many bytes form complete UTF-8 characters. */
    private int wholeLetters() {
        int end = length;
        while (end > length - 4 && (line[end - 1] & 0xC0) == 0x80) {
            end--;
        }
        return end > 1 && (line[end - 1] & 0xC0) == 0xC0 ? end - 1 : length;
    }

    private void print(int count, boolean ends) {
        String text = new String(line, 0, count, StandardCharsets.UTF_8);
        out.print((begun ? "" : stamps.apply(Optional.empty()) + prefix) + OneLine.readable(text) + (ends ? "\n" : ""));
        begun = !ends;
        length = 0;
    }

    private void print(SaidLine said) {
        String mark = switch (said.kind()) {
            case SAYS -> "";
            case TOOL -> "> ";
            case RESULT -> "  ";
            case USAGE -> "= ";
            case ERROR -> "! ";
        };
        out.print(stamps.apply(said.at()) + prefix + mark + said.text() + "\n");
    }

    /** Returns whether any bytes arrived. */
    public boolean isFed() {
        return fed;
    }

    /** Prints the text after the last line break. */
    public void end() {
        said.ifPresent(reader -> reader.finish().forEach(this::print));
        if (!raw && (length > 0 || begun)) {
            print(length, true);
        }
        out.flush();
    }
}
