package dev.loopkeeper.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What a program answered that was run to find out whether it works.
 *
 * @param works whether it ended with 0
 * @param said the beginning of what it printed
 */
record Probe(boolean works, String said) {
    private static final Path ROOT = Path.of("/");
    private static final long SECONDS = 20;
    private static final int MOST_SAID = 400;

    /** Runs it. Blocking; fails where it cannot be started. */
    static Probe of(List<String> words) throws IOException {
        Process probe = StartedLauncher.begin(
                new ProcessBuilder(words).directory(ROOT.toFile()).redirectErrorStream(true));
        try {
            return probe.waitFor(SECONDS, TimeUnit.SECONDS)
                    ? new Probe(
                            probe.exitValue() == 0,
                            new String(probe.getInputStream().readNBytes(MOST_SAID), StandardCharsets.UTF_8).strip())
                    : new Probe(false, "nothing");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return new Probe(false, "interrupted");
        }
    }
}
