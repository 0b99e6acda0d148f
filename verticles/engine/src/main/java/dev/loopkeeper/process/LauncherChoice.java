package dev.loopkeeper.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which launcher starts the agents of a data folder: the native one, begun by {@code posix_spawn}, where that works, else
 * the native one begun by Java, else the script.
 *
 * @param program absent for the script
 * @param spawn absent where Java starts it
 * @param found for people, e.g. {@code native launcher for x86_64, by posix_spawn}
 */
record LauncherChoice(Optional<NativeLauncher> program, Optional<PosixSpawn> spawn, String found) {
    private static final Logger LOG = LoggerFactory.getLogger(LauncherChoice.class);
    /** {@code script} where the native launcher is not wanted. */
    private static final String PROPERTY = "loopkeeper.launcher";

    private static final Path ROOT = Path.of("/");
    private static final long PROBE_SECONDS = 20;
    private static final int HASH_LENGTH = 64;

    /** Tries them, in the data folder: it may lie where nothing may be executed. Blocking. */
    static LauncherChoice of(Path data) {
        LauncherChoice choice = choose(data);
        LOG.debug("agents are started by the {}", choice.found);
        return choice;
    }

    static LauncherChoice script(String why) {
        return new LauncherChoice(Optional.empty(), Optional.empty(), "launcher script (" + why + ")");
    }

    private static LauncherChoice choose(Path data) {
        if (System.getProperty(PROPERTY, "").equals("script")) {
            return script(PROPERTY + " says so");
        }
        try {
            Optional<NativeLauncher> program = NativeLauncher.of(data);
            return program.isEmpty()
                    ? script("there is no native one for " + System.getProperty("os.arch"))
                    : choose(program.get());
        } catch (IOException unusable) {
            return script(unusable.getMessage());
        }
    }

    private static LauncherChoice choose(NativeLauncher program) throws IOException {
        String found = "native launcher for " + NativeLauncher.architecture().orElseThrow();
        LauncherChoice choice;
        try {
            choice = new LauncherChoice(
                    Optional.of(program), Optional.of(new PosixSpawn(ChildWatch.shared())), found + ", by posix_spawn");
        } catch (IOException | LinkageError refused) {
            choice = new LauncherChoice(
                    Optional.of(program), Optional.empty(), found + ", by Java: " + refused.getMessage());
        }
        String answer = choice.version();
        return answer.length() == HASH_LENGTH ? choice : script("the native one answered \"" + answer + "\"");
    }

    private String version() throws IOException {
        ProcessBuilder probe = new ProcessBuilder(
                        List.of(program.orElseThrow().install().toString(), "version"))
                .directory(ROOT.toFile());
        if (spawn.isEmpty()) {
            return answer(probe.redirectErrorStream(true).start());
        }
        try {
            return spawn.get().start(probe, false).told().toCompletableFuture().get(PROBE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return "interrupted";
        } catch (ExecutionException | TimeoutException silent) {
            return silent.toString();
        }
    }

    private static String answer(Process probe) throws IOException {
        try {
            boolean ended = probe.waitFor(PROBE_SECONDS, TimeUnit.SECONDS);
            return ended
                    ? new String(probe.getInputStream().readNBytes(HASH_LENGTH), StandardCharsets.US_ASCII)
                    : "nothing";
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }
}
