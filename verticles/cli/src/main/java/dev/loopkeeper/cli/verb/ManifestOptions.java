package dev.loopkeeper.cli.verb;

import dev.loopkeeper.cli.print.Console;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.ArgumentGroup;
import dev.loopkeeper.cli.session.Arguments;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.LocalGit;
import dev.loopkeeper.cli.session.RootCommand;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.manifest.read.ManifestProblem;
import dev.loopkeeper.step.Amounts;
import dev.loopkeeper.submit.Submission;
import dev.loopkeeper.submit.Submissions;
import dev.loopkeeper.submit.SubmitOptions;
import io.vertx.core.WorkerExecutor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** {@code MANIFEST} and what is laid over it. */
final class ManifestOptions implements ArgumentGroup {
    /** Git may have a repository of any size to look at. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private static final Path USUAL = Path.of(Starter.MANIFEST);

    private Path file;
    private Map<String, String> overrides = new LinkedHashMap<>();
    private Map<String, String> vars = new LinkedHashMap<>();
    private String workspace;

    @Override
    public Arguments addTo(Arguments arguments) {
        return arguments
                .optional(0, "MANIFEST", "A YAML or JSON file; default loopkeeper.yaml in this folder.")
                .path(value -> file = value)
                .option("--set", "PATH=VALUE", "Set a value of the manifest, e.g. phases.build.loop.maxIterations=5.")
                .pairs(value -> overrides = value)
                .option("--var", "NAME=VALUE", "Set a variable for prompts and commands.")
                .pairs(value -> vars = value)
                .option("--workspace", "DIR", "Where the agents work, instead of the manifest's.")
                .path(value -> workspace = value.toString());
    }

    /** The manifest that is meant; there being none ends the command. */
    Path file() {
        if (file == null && !Files.exists(USUAL)) {
            throw CommandFailure.refused(
                    "name a MANIFEST: there is no " + USUAL + " in this folder, which init writes");
        }
        return file == null ? USUAL : file;
    }

    /** Checks the manifest with all it names; nothing is written. */
    Submission check(Session session, RootCommand root) {
        return check(session, root, file(), new SubmitOptions(Optional.ofNullable(workspace), vars, overrides));
    }

    static Submission check(Session session, RootCommand root, Path file, SubmitOptions options) {
        WorkerExecutor workers = session.vertx().createSharedWorkerExecutor("loopkeeper-submissions", 1);
        Path data = root.dataFolder().path();
        Submissions submissions = new Submissions(
                workers, root.console().environment(), question -> LocalGit.check(session.vertx(), data, question));
        return Session.await(submissions.fromFile(file, options), PATIENCE);
    }

    /** The checked manifest; one with problems ends the command, each in its own line. */
    Submission.Accepted require(Session session, RootCommand root) {
        Submission checked = check(session, root);
        if (checked instanceof Submission.Refused refused) {
            throw CommandFailure.refused(text(refused.problems()) + "\nnothing was started");
        }
        return (Submission.Accepted) checked;
    }

    /** Says what hardly anybody means; nothing is held up by it. */
    void warn(Console console, Submission.Accepted accepted) {
        warn(console, file(), accepted);
    }

    static void warn(Console console, Path file, Submission.Accepted accepted) {
        String name = file.toString();
        accepted.warnings().forEach(warning -> console.warn("warning: " + Words.shown(warning.text(name))));
    }

    String text(List<ManifestProblem> problems) {
        return text(file(), problems);
    }

    static String text(Path file, List<ManifestProblem> problems) {
        return problems.stream()
                .map(problem -> problem.text(file.toString()))
                .collect(Collectors.joining(
                        "\n", file + " has " + Amounts.count(problems.size(), "problem") + "\n", ""));
    }
}
