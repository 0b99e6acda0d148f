package dev.loopkeeper.chaos;

import java.io.IOException;
import java.util.List;

/** Programs of the system that change it, where they are there and this user may. */
final class Programs {
    private Programs() {}

    /** Whether it did what it was asked. */
    static boolean run(String... words) {
        try {
            return new ProcessBuilder(List.of(words))
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .onExit()
                            .join()
                            .exitValue()
                    == 0;
        } catch (IOException absent) {
            return false;
        }
    }
}
