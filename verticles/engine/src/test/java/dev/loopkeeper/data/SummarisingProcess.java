package dev.loopkeeper.data;

import java.io.IOException;
import java.nio.file.Path;

/** A process of its own that writes the summaries of many steps, until it is killed. */
final class SummarisingProcess {
    private SummarisingProcess() {}

    /** Takes the data folder and the number of steps, and prints the number of each one that is done. */
    public static void main(String[] arguments) throws IOException {
        for (int step = 0; step < Integer.parseInt(arguments[1]); step++) {
            StepFiles.of(Path.of(arguments[0]), "r", "step." + step).summarise(true);
            System.out.println(step);
        }
    }
}
