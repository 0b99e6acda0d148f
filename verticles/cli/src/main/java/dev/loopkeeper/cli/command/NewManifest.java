package dev.loopkeeper.cli.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.session.Api;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.RootCommand;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.submit.Submission;
import dev.loopkeeper.submit.SubmitOptions;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The option {@code --manifest FILE} of a resume: the manifest that replaces the run's. */
final class NewManifest {
    @Option(
            names = "--manifest",
            paramLabel = "FILE",
            description =
                    "A changed manifest for the rest of the run; write into it what options set when the run was submitted.")
    private Path file;

    private Optional<Submission.Accepted> checked = Optional.empty();

    boolean isGiven() {
        return file != null;
    }

    /** Checks the file and all files it names, for the workspace of this run; problems end the command. */
    void check(Session session, RootCommand root, Api api, String runId) {
        String workspace = api.look(runId)
                .view()
                .workspace()
                .orElseThrow(() -> CommandFailure.refused("the record of " + runId + " names no workspace"));
        Submission submission = ManifestOptions.check(
                session, root, ManifestOptions.ofServer(root), file, SubmitOptions.ofRun(workspace));
        if (submission instanceof Submission.Refused refused) {
            throw CommandFailure.refused(ManifestOptions.text(file, refused.problems()) + "\nnothing was resumed");
        }
        Submission.Accepted accepted = (Submission.Accepted) submission;
        ManifestOptions.warn(root.console(), file, accepted);
        checked = Optional.of(accepted);
    }

    /** Adds the manifest to the body of {@code POST /runs/{runId}/resume}. */
    void addTo(ObjectNode body) {
        checked.ifPresent(accepted -> {
            body.set("manifest", AbsolutePaths.in(accepted));
            accepted.file().ifPresent(source -> body.set("manifestFile", Json.MAPPER.valueToTree(source)));
        });
    }
}
