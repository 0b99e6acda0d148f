package dev.loopkeeper.cli.command;

import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.RootCommand;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/** The command {@code loopkeeper schema}. */
@Command(name = "schema", description = "Print the JSON Schema of manifests, for editors.")
public final class SchemaCommand implements Callable<Integer> {
    @ParentCommand
    private RootCommand root;

    @Override
    public Integer call() throws IOException {
        root.console().print(Starter.schema().stripTrailing());
        return ExitCodes.DONE;
    }
}
