package dev.loopkeeper.cli.session;

import dev.loopkeeper.agent.SaidLine;
import dev.loopkeeper.agent.SaidLines;
import dev.loopkeeper.json.WireName;
import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.step.OneLine;
import java.io.ByteArrayOutputStream;
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
    private final StringBuilder lines = new StringBuilder();
    /** The beginning of a line of plain text. */
    private final ByteArrayOutputStream held = new ByteArrayOutputStream();

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
        for (int index = 0; index < bytes.length; index++) {
            if (bytes[index] == '\n') {
                held.write(bytes, start, index - start);
                addHeld();
                start = index + 1;
            }
        }
        held.write(bytes, start, bytes.length - start);
        if (held.size() > LONGEST) {
            addLetters();
        }
    }

    /** Adds the held text as a part of a line, without its last letter, of which some bytes may be missing. */
    private void addLetters() {
        byte[] text = held.toByteArray();
        int last = text.length - 1;
        while (last > text.length - 4 && (text[last] & 0xC0) == 0x80) {
            last--;
        }
        add(new String(text, 0, last, StandardCharsets.UTF_8), false);
        held.reset();
        held.write(text, last, text.length - last);
    }

    private void addHeld() {
        add(held.toString(StandardCharsets.UTF_8), true);
        held.reset();
    }

    private void add(String part, boolean ends) {
        lines.append(begun ? "" : stamps.apply(Optional.empty()) + prefix)
                .append(OneLine.readable(part))
                .append(ends ? "\n" : "");
        begun = !ends;
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
        if (held.size() > 0 || begun) {
            addHeld();
        }
        print();
    }
}
