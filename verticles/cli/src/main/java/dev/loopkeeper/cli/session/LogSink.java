package dev.loopkeeper.cli.session;

import dev.loopkeeper.agent.SaidLine;
import dev.loopkeeper.agent.SaidLines;
import dev.loopkeeper.json.WireName;
import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.step.OneLine;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
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
    private final CharsetDecoder decoder = StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPLACE)
            .onUnmappableCharacter(CodingErrorAction.REPLACE);
    private final StringBuilder text = new StringBuilder();
    private final StringBuilder lines = new StringBuilder();
    private ByteBuffer letter = ByteBuffer.allocate(0);
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
        int from = text.length();
        decode(bytes);
        int start = 0;
        for (int feed = text.indexOf("\n", from); feed >= 0; feed = text.indexOf("\n", start)) {
            add(text.substring(start, feed), true);
            start = feed + 1;
        }
        text.delete(0, start);
        if (text.length() > LONGEST) {
            add(text.toString(), false);
            text.setLength(0);
        }
    }

    /** Appends what the bytes say, and keeps the beginning of a letter for the next ones. */
    private void decode(byte... bytes) {
        ByteBuffer encoded = ByteBuffer.allocate(letter.remaining() + bytes.length)
                .put(letter)
                .put(bytes)
                .flip();
        CharBuffer decoded = CharBuffer.allocate(encoded.remaining());
        decoder.decode(encoded, decoded, false);
        text.append(decoded.flip());
        letter = encoded;
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
        if (!raw && (!text.isEmpty() || letter.hasRemaining() || begun)) {
            add(text + (letter.hasRemaining() ? decoder.replacement() : ""), true);
        }
        print();
    }
}
