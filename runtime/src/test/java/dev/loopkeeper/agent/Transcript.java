package dev.loopkeeper.agent;

import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.step.ErrorRules;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** What an agent printed, read in one of the ways it can come. */
final class Transcript {
    static final Instant NOW = Instant.parse("2026-11-20T10:00:00Z");
    static final ZoneId UTC = ZoneId.of("UTC");

    private final OutputDialect dialect;
    private final byte[] stdout;
    private final byte[] stderr;

    Transcript(OutputDialect dialect, byte[] stdout, byte[] stderr) {
        this.dialect = dialect;
        this.stdout = stdout;
        this.stderr = stderr;
    }

    /** A file of the test resources; one named {@code stderr} was printed there. */
    static Transcript of(String path) {
        OutputDialect dialect = dialect(path);
        byte[] content = resource(path);
        return path.contains("stderr")
                ? new Transcript(dialect, new byte[0], content)
                : new Transcript(dialect, content, new byte[0]);
    }

    private static OutputDialect dialect(String path) {
        return Stream.of(OutputDialect.values())
                .filter(one -> path.startsWith(one.wire() + "/"))
                .findFirst()
                .orElseThrow();
    }

    /** Both streams of a program: {@code name.jsonl} and {@code name.stderr}, where they are. */
    static Transcript recorded(String name) {
        return new Transcript(dialect(name), present(name + ".jsonl"), present(name + ".stderr"));
    }

    private static byte[] present(String path) {
        return Transcript.class.getResource(path) == null ? new byte[0] : resource(path);
    }

    static Transcript printed(OutputDialect dialect, String stdout) {
        return new Transcript(dialect, stdout.getBytes(StandardCharsets.UTF_8), new byte[0]);
    }

    Transcript complaining(String words) {
        return new Transcript(dialect, stdout, words.getBytes(StandardCharsets.UTF_8));
    }

    Transcript withCarriageReturns() {
        return new Transcript(dialect, carriageReturns(stdout), carriageReturns(stderr));
    }

    /** The same between lines that no process can read: too long, no text, of a later version. */
    Transcript withNoise() {
        byte[] noise =
                ("{\"type\":\"from-the-future\",\"error\":{\"message\":\"401\"}}\n\u00ff\u00fe{\u00c3(\n{\"type\":\"result\",\"x\":\""
                                + "y".repeat(JsonEvents.LONGEST) + "\"}\n")
                        .getBytes(StandardCharsets.ISO_8859_1);
        return stdout.length > 0
                ? new Transcript(dialect, concat(noise, stdout), stderr)
                : new Transcript(dialect, stdout, concat(noise, stderr));
    }

    private static byte[] concat(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    /** Both streams up to every line's end, and in the middle of every line. */
    Stream<Transcript> cutOff() {
        byte[] all = stdout.length > 0 ? stdout : stderr;
        return Stream.iterate(0, at -> at < all.length, at -> at + 1)
                .filter(at -> all[at] == '\n')
                .flatMap(at -> Stream.of(at, at + 1, Math.max(0, at - 10)))
                .map(at -> new Transcript(dialect, head(stdout, at), head(stderr, at)));
    }

    AgentReport read(ExitFacts exit) {
        return read(exit, Integer.MAX_VALUE);
    }

    AgentReport read(ExitFacts exit, int pieces) {
        AgentOutputReader reader = AgentOutput.reader(dialect, ErrorRules.builtIn());
        for (int at = 0; at < stdout.length; at += Math.min(pieces, stdout.length)) {
            reader.stdout(stdout, at, Math.min(pieces, stdout.length - at));
        }
        for (int at = 0; at < stderr.length; at += Math.min(pieces, stderr.length)) {
            reader.stderr(stderr, at, Math.min(pieces, stderr.length - at));
        }
        return reader.finish(exit, NOW, UTC);
    }

    static List<OutputDialect> structured() {
        return Stream.of(OutputDialect.values())
                .filter(dialect -> dialect != OutputDialect.TEXT)
                .toList();
    }

    private static byte[] head(byte[] bytes, int length) {
        return Arrays.copyOf(bytes, Math.min(bytes.length, length));
    }

    private static byte[] carriageReturns(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8).replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8);
    }

    static byte[] resource(String path) {
        try (InputStream stream = Transcript.class.getResourceAsStream(path)) {
            return stream.readAllBytes();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
