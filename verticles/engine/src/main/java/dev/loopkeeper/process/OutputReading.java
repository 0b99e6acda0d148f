package dev.loopkeeper.process;

import dev.loopkeeper.agent.SpokenText;
import dev.loopkeeper.contract.OutputDigest;
import dev.loopkeeper.data.LogFile;
import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.step.Sha256;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/** Reads the stdout of an ended step. Blocking; memory is bounded whatever was printed. */
final class OutputReading {
    private static final int EDGE = 256 * 1024;
    private static final int CHUNK = 64 * 1024;

    private OutputReading() {}

    /** Returns a unique digest, because unknown output equals no other output. */
    static OutputDigest unknown(String step) {
        return new OutputDigest(false, Sha256.hex("unknown output of " + step));
    }

    /**
     * Reads it from the step's folder; a missing file is empty, and dropped output is not searched.
     *
     * @param expected searched in what the agent says; empty: no search
     */
    static OutputDigest read(Path folder, OutputDialect dialect, String expected, UnaryOperator<String> normalise)
            throws IOException {
        LogFile log = new LogFile(folder, "stdout");
        boolean matched = !expected.isEmpty()
                && (dialect == OutputDialect.TEXT
                        ? contains(log, bytes(expected.getBytes(StandardCharsets.UTF_8)))
                        : isSaid(log, new SpokenText(dialect, expected)));
        String edges = new String(log.edges(EDGE), StandardCharsets.UTF_8);
        return new OutputDigest(matched, Sha256.hex(normalise.apply(edges)));
    }

    private static boolean isSaid(LogFile log, SpokenText text) throws IOException {
        LogFile.Part part = log.read(0, CHUNK);
        while (part.bytes().length() > 0) {
            text.stdout(part.bytes().getBytes(), 0, part.bytes().length());
            part = log.read(part.next(), CHUNK);
        }
        return text.finish();
    }

    /** Searches in chunks, each with the end of the previous one. */
    private static boolean contains(LogFile log, String expected) throws IOException {
        String kept = "";
        LogFile.Part part = log.read(0, CHUNK);
        while (part.bytes().length() > 0) {
            String searched = kept + bytes(part.bytes().getBytes());
            if (searched.contains(expected)) {
                return true;
            }
            kept = searched.substring(Math.max(0, searched.length() - expected.length() + 1));
            part = log.read(part.next(), CHUNK);
        }
        return false;
    }

    /** Returns a text with one character for each byte. */
    private static String bytes(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
