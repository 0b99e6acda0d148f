package dev.loopkeeper.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Selects the launcher of a data folder's agents: the native one where it works, else the script.
 *
 * @param program absent for the script
 * @param found for people, e.g. {@code native launcher for x86_64}
 */
public record LauncherChoice(Optional<ProgramFile> program, String found) {
    private static final Logger LOG = LoggerFactory.getLogger(LauncherChoice.class);
    /** {@code script} where the native launcher is not to be used. */
    private static final String PROPERTY = "loopkeeper.launcher";

    private static final int HASH_LENGTH = 64;

    /** Tries them, in the data folder: it may lie where nothing may be executed. Blocking. */
    public static LauncherChoice of(Path data) {
        LauncherChoice choice = choose(data);
        LOG.debug("agents are started by the {}", choice.found);
        return choice;
    }

    /** Returns whether it is the program, not the script. */
    public boolean isNative() {
        return program.isPresent();
    }

    static LauncherChoice script(String why) {
        return new LauncherChoice(Optional.empty(), "launcher script (" + why + ")");
    }

    private static LauncherChoice choose(Path data) {
        if (System.getProperty(PROPERTY, "").equals("script")) {
            return script(PROPERTY + " says so");
        }
        try {
            Optional<ProgramFile> program = NativeLauncher.of(data);
            return program.isEmpty()
                    ? script("there is no native launcher for " + System.getProperty("os.arch"))
                    : choose(program.get());
        } catch (IOException unusable) {
            return script(unusable.getMessage());
        }
    }

    private static LauncherChoice choose(ProgramFile program) throws IOException {
        String answer =
                Probe.of(List.of(program.install().toString(), "version")).said();
        return answer.length() == HASH_LENGTH
                ? new LauncherChoice(
                        Optional.of(program),
                        "native launcher for " + NativeLauncher.architecture().orElseThrow())
                : script("the native launcher answered \"" + answer + "\"");
    }
}
