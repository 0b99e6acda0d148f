package dev.loopkeeper.cli.command;

import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.RootCommand;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** The command {@code loopkeeper schema}. */
@Command(name = "schema", description = "Print the JSON Schema of manifests, for editors.")
public final class SchemaCommand implements Callable<Integer> {
    private final RootCommand root;

    public SchemaCommand(RootCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() throws IOException {
        root.console().print(Starter.schema().stripTrailing());
        return ExitCodes.DONE;
    }
}
