package dev.loopkeeper.cli.command.admin;

import dev.loopkeeper.bundle.BundleException;
import dev.loopkeeper.bundle.RunImport;
import dev.loopkeeper.cli.command.FactsCommand;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.ExitCodes;
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
        description = {
            "Add a run from a file that export wrote to this data folder. The run is not started.",
            "No server may be using the data folder."
        })
public final class ImportCommand extends FactsCommand {
    @Parameters(index = "0", paramLabel = "FILE", description = "A file that export wrote.")
    private Path file;

    @Override
    public Integer call() {
        Path bundle = file.toAbsolutePath();
        Path folder = root.dataFolder().path();
        Instant now = Instants.now();
        try (Session session = root.open()) {
            RunRow row = ExclusiveFolder.own(
                    session, root, store -> new RunImport(session.vertx(), store, folder).restore(bundle, now));
            print(row.view(), () -> print("imported run " + row.runId() + "; its status is " + row.status()));
        } catch (BundleException refused) {
            throw CommandFailure.refused(refused.getMessage());
        }
        return ExitCodes.DONE;
    }
}
