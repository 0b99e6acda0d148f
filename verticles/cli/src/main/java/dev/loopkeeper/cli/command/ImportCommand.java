package dev.loopkeeper.cli.command;

import dev.loopkeeper.bundle.BundleException;
import dev.loopkeeper.bundle.RunImport;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.JsonOption;
import dev.loopkeeper.cli.session.RootCommand;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.work.Instants;
import java.nio.file.Path;
import java.time.Instant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The command {@code loopkeeper import FILE}. */
@Command(
        name = "import",
        description = "Take in a run that export has written. It is not started. No server may serve the data folder.")
public final class ImportCommand extends FactsCommand {
    @Parameters(index = "0", paramLabel = "FILE", description = "The file that export has made.")
    private Path file;

    public ImportCommand(RootCommand root) {
        super(root);
    }

    @Override
    public Integer call() {
        Path bundle = file.toAbsolutePath();
        Path folder = root.dataFolder().path();
        Instant now = Instants.now();
        try (Session session = root.open()) {
            RunRow row = ExclusiveFolder.own(
                    session, root, store -> new RunImport(session.vertx(), store, folder).restore(bundle, now));
            if (json.wanted()) {
                root.console().print(JsonOption.pretty(row.view()));
            } else {
                root.console().print(row.runId() + " is here, " + row.status());
            }
        } catch (BundleException refused) {
            throw CommandFailure.refused(refused.getMessage());
        }
        return ExitCodes.DONE;
    }
}
