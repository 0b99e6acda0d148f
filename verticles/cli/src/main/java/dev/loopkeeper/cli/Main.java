package dev.loopkeeper.cli;

import dev.loopkeeper.cli.print.Console;
import dev.loopkeeper.cli.print.ErrorStream;
import dev.loopkeeper.cli.session.ExitCodes;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Starts the command line and ends the process with the exit code of the command. */
public final class Main {
    private Main() {}

    /** Runs one command and exits with its code; see {@link ExitCodes}. */
    public static void main(String[] arguments) {
        System.setErr(new PrintStream(ErrorStream.system(), true, StandardCharsets.UTF_8));
        int code = new CommandRunner(Console.system(), new EmbeddedRoot.Starter()).run(arguments);
        ErrorStream.system().finish();
        // While a signal ends the JVM this call never returns, so the process keeps the signal's exit code.
        System.exit(code);
    }
}
