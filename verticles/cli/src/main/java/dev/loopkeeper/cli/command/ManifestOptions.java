package dev.loopkeeper.cli.command;

import dev.loopkeeper.cli.print.Console;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.LocalGit;
import dev.loopkeeper.cli.session.RootCommand;
import dev.loopkeeper.cli.session.RunFacts;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.data.DataFolder;
import dev.loopkeeper.json.NearestName;
import dev.loopkeeper.json.WireName;
import dev.loopkeeper.manifest.read.ManifestProblem;
import dev.loopkeeper.policy.Policy;
import dev.loopkeeper.step.Amounts;
import dev.loopkeeper.store.StoreException;
import dev.loopkeeper.submit.Submission;
import dev.loopkeeper.submit.Submissions;
import dev.loopkeeper.submit.SubmitOptions;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The argument {@code MANIFEST} and the options that override its values. */
public final class ManifestOptions {
    /** Git may have to read a repository of any size. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private static final Path USUAL = Path.of(Starter.MANIFEST);
    private static final int MOST_SIBLINGS = 1000;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "MANIFEST",
            description = "A YAML or JSON file; default loopkeeper.yaml in this folder.")
    private Path file;

    @Option(
            names = "--set",
            paramLabel = "PATH=VALUE",
            description = "Set a value of the manifest, e.g. phases.build.loop.maxIterations=5.")
    private Map<String, String> overrides = new LinkedHashMap<>();

    @Option(names = "--var", paramLabel = "NAME=VALUE", description = "Set a variable for prompts.")
    private Map<String, String> vars = new LinkedHashMap<>();

    @Option(
            names = "--workspace",
            paramLabel = "DIR",
            description = "Where the agents work, instead of the manifest's.")
    private Path workspace;

    /** Returns the manifest file; if there is none the command ends. */
    Path file() {
        if (file == null && !Files.exists(USUAL)) {
            throw CommandFailure.refused(
                    "name a MANIFEST: there is no " + USUAL + " in this folder; loopkeeper init writes one");
        }
        return file == null ? USUAL : file;
    }

    /** Checks the manifest and all files it names; writes nothing. */
    Submission check(Session session, RootCommand root) {
        return check(session, root, root.console().environment(), file(), options());
    }

    private SubmitOptions options() {
        return new SubmitOptions(Optional.ofNullable(workspace).map(Path::toString), vars, overrides);
    }

    /** @param environment what the agents inherit; see {@link Submissions} */
    static Submission check(
            Session session, RootCommand root, Map<String, String> environment, Path file, SubmitOptions options) {
        DataFolder data = root.dataFolder();
        Submissions submissions = new Submissions(
                ManifestOptions::checked,
                environment,
                question -> LocalGit.check(session.vertx(), data.path(), question),
                () -> Future.succeededFuture(policy(session, root)));
        Submission found = Session.await(submissions.fromFile(file, options), PATIENCE);
        return found instanceof Submission.Accepted accepted && data.isInRepositoryOf(Path.of(accepted.workspace()))
                ? accepted.warned(ManifestProblem.at(
                        "workspace",
                        "the data folder " + data.path() + " is in this repository, where git clean -fdx deletes it and"
                                + " agents can read it; name one elsewhere with --data"))
                : found;
    }

    /** Returns the policy of the server, or of the data folder; empty where it cannot be read. */
    private static Optional<Policy> policy(Session session, RootCommand root) {
        try (RunFacts facts = RunFacts.of(session, root)) {
            return Optional.of(facts.policy().policy());
        } catch (CommandFailure | StoreException unknown) {
            return Optional.empty();
        }
    }

    private static Future<Submissions.Checked> checked(Callable<Submissions.Checked> check) {
        try {
            return Future.succeededFuture(check.call());
        } catch (Exception failed) {
            return Future.failedFuture(failed);
        }
    }

    /** Returns the environment here without its {@code PATH}: agents of a server have the one of the server, which checks it. */
    static Map<String, String> ofServer(RootCommand root) {
        Map<String, String> environment = new HashMap<>(root.console().environment());
        environment.remove("PATH");
        return environment;
    }

    /**
     * Returns the checked manifest. Problems end the command, each in its own line.
     *
     * @param environment what the agents inherit; see {@link Submissions}
     */
    Submission.Accepted require(Session session, RootCommand root, Map<String, String> environment) {
        Submission checked = check(session, root, environment, file(), options());
        if (checked instanceof Submission.Refused refused) {
            throw CommandFailure.refused(text(file(), refused.problems()) + "\nnothing was started");
        }
        return (Submission.Accepted) checked;
    }

    /** Prints warnings; they do not stop the command. */
    void warn(Console console, Submission.Accepted accepted) {
        warn(console, file(), accepted);
    }

    static void warn(Console console, Path file, Submission.Accepted accepted) {
        String name = file.toString();
        accepted.warnings().forEach(warning -> console.warn("warning: " + Words.shown(warning.text(name))));
    }

    /** Returns a hint for a missing file: a manifest in its folder, or an example, with the nearest name. */
    private static String near(Path file) {
        if (Files.exists(file) || file.getFileName() == null) {
            return "";
        }
        Path folder = file.toAbsolutePath().getParent();
        try (Stream<Path> siblings = Files.isDirectory(folder) ? Files.list(folder) : Stream.empty()) {
            List<String> manifests = siblings.map(
                            sibling -> sibling.getFileName().toString())
                    .filter(name -> name.matches(".*\\.(ya?ml|json)"))
                    .limit(MOST_SIBLINGS)
                    .toList();
            String name = file.getFileName().toString();
            return manifests.stream()
                    .filter(manifest -> manifest.matches(Pattern.quote(name) + "\\.(ya?ml|json)"))
                    .findFirst()
                    .or(() -> NearestName.of(name, manifests))
                    .map(manifest -> "\ndid you mean "
                            + Words.shown(file.resolveSibling(manifest).toString()) + "?")
                    .or(() -> NearestName.of(name, WireName.all(Starter.class))
                            .map(example -> "\ndid you mean the example " + example + "? init --example " + example
                                    + " writes it"))
                    .orElse("");
        } catch (IOException unreadable) {
            return "";
        }
    }

    /** Returns the problems of a file for people, one a line. */
    public static String text(Path file, List<ManifestProblem> problems) {
        return problems.stream()
                .map(problem -> problem.text(file.toString()))
                .collect(Collectors.joining(
                        "\n", file + " has " + Amounts.count(problems.size(), "problem") + "\n", near(file)));
    }
}
