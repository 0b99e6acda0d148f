package dev.loopkeeper.process;

import java.nio.file.Path;

/**
 * Which launcher starts agents, for people.
 *
 * @param isNative whether it is the program, not the script
 * @param found e.g. {@code native launcher for x86_64}
 */
public record LauncherFound(boolean isNative, String found) {
    /** Tries them in this folder, where the launcher is written. Blocking. */
    public static LauncherFound in(Path folder) {
        LauncherChoice choice = LauncherChoice.of(folder);
        return new LauncherFound(choice.program().isPresent(), choice.found());
    }
}
