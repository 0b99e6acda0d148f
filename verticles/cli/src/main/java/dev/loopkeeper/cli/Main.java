package dev.loopkeeper.cli;

import dev.loopkeeper.cli.print.Console;
import dev.loopkeeper.cli.session.ExitCodes;

/** Starts the command line; the only place that ends the process. */
public final class Main {
    private Main() {}

    /** Carries out one command and exits with its code; see {@link ExitCodes}. */
    public static void main(String[] arguments) {
        // While a signal ends the process this waits for ever, so the process keeps the signal's exit code.
        System.exit(new CommandRunner(Console.system(), EmbeddedRoot::start).run(arguments));
    }
}
