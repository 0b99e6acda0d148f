package dev.loopkeeper.cli.verb;

import dev.loopkeeper.cli.session.Arguments;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.RootCommand;
import java.io.IOException;

/** {@code loopkeeper schema}. */
public final class SchemaVerb implements Verb {
    private final RootCommand root;

    public SchemaVerb(RootCommand root) {
        this.root = root;
    }

    @Override
    public Arguments arguments() {
        return new Arguments(this, "schema", "Print the JSON Schema of manifests, for editors.");
    }

    @Override
    public Integer call() throws IOException {
        root.console().print(Starter.schema().stripTrailing());
        return ExitCodes.DONE;
    }
}
