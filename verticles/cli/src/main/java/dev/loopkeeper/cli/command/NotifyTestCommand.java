package dev.loopkeeper.cli.command;

import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.data.FolderRemoval;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.notify.ExampleNotification;
import dev.loopkeeper.notify.ExampleNotification.Report;
import dev.loopkeeper.submit.Submission;
import dev.loopkeeper.submit.SubmitOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The command {@code loopkeeper notify test [MANIFEST]}. */
@Command(name = "notify", description = "Send an example to each receiver of a manifest's notifications.")
public final class NotifyTestCommand extends FactsCommand {
    /** For one receiver: a command has half a minute. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @Parameters(index = "0", paramLabel = "ACTION", description = "test.")
    @SuppressWarnings("UnusedVariable") // picocli refuses every other word
    private Action action;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "MANIFEST",
            description = "A YAML or JSON file; default loopkeeper.yaml in this folder.")
    private Path file = Path.of(Starter.MANIFEST);

    /** The words of the command line. */
    private enum Action {
        test
    }

    @Override
    public Integer call() throws IOException {
        Map<String, String> environment = root.console().environment();
        Path scratch = Files.createTempDirectory("loopkeeper-notify-");
        try (Session session = root.open()) {
            Submission checked = ManifestOptions.check(session, root, environment, file, SubmitOptions.NONE);
            if (checked instanceof Submission.Refused refused) {
                throw CommandFailure.refused(ManifestOptions.text(file, refused.problems()));
            }
            Submission.Accepted accepted = (Submission.Accepted) checked;
            int receivers = accepted.manifest().notifications().size();
            if (receivers == 0) {
                throw CommandFailure.refused(file + " has no notify; add a receiver");
            }
            return print(Session.await(
                    new ExampleNotification(session.vertx(), scratch, environment)
                            .send(accepted.manifest(), accepted.workspace(), accepted.baseDir()),
                    PATIENCE.multipliedBy(receivers)));
        } finally {
            FolderRemoval.remove(scratch);
        }
    }

    private int print(List<Report> reports) {
        print(
                Json.MAPPER.valueToTree(Map.of("receivers", reports)),
                () -> reports.forEach(report -> print((report.delivered() ? "sent    " : "failed  ")
                        + Words.shown(report.receiver() + ": " + report.answer()))));
        return reports.stream().allMatch(Report::delivered) ? ExitCodes.DONE : ExitCodes.REFUSED;
    }
}
