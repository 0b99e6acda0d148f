package dev.loopkeeper.cli.command.admin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.print.Console;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.Api;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.RootCommand;
import dev.loopkeeper.cli.session.RunChoice;
import dev.loopkeeper.cli.session.RunFacts;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.run.RunId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** The options {@code --run} and {@code --workspace}, which select processes. */
final class ProcessChoice {
    @Option(names = "--run", paramLabel = "RUN", description = "Only processes of this run.")
    private String run;

    @Option(names = "--workspace", paramLabel = "DIR", description = "Only processes of runs in this workspace.")
    private Path workspace;

    private Optional<CommandFailure> unknown = Optional.empty();

    /** Returns whether a run or a workspace is named. */
    boolean named() {
        return run != null || workspace != null;
    }

    /** Returns the query of a request, e.g. {@code ?run=fix-1}; empty if nothing is named. */
    String query(Session session, RootCommand root) {
        String query = chosen(session, root).entrySet().stream()
                .map(each -> each.getKey() + "=" + Api.encoded(each.getValue()))
                .collect(Collectors.joining("&"));
        return query.isEmpty() ? "" : "?" + query;
    }

    /** Adds the selection to the body of a request. */
    void addTo(ObjectNode body, Session session, RootCommand root) {
        chosen(session, root).forEach(body::put);
    }

    private Map<String, String> chosen(Session session, RootCommand root) {
        Map<String, String> chosen = new LinkedHashMap<>();
        if (run != null) {
            chosen.put("run", runId(session, root));
        }
        if (workspace != null) {
            chosen.put("workspace", folder());
        }
        return chosen;
    }

    /** Returns the selection as options of a command, for hints. */
    String typed() {
        return (run == null ? "" : " --run " + Words.quoted(run))
                + (workspace == null ? "" : " --workspace " + Words.quoted(workspace.toString()));
    }

    /** Returns the id of the run. An unknown id is used unchanged, since a removed run may have left processes. */
    private String runId(Session session, RootCommand root) {
        try (RunFacts facts = RunFacts.of(session, root)) {
            return new RunChoice(facts, root).of(run);
        } catch (CommandFailure unknown) {
            if (unknown.exitCode() == ExitCodes.UNREACHABLE && RunId.isValid(run)) {
                this.unknown = Optional.of(unknown);
                return run;
            }
            throw unknown;
        }
    }

    /** Ends the command if the named run is unknown; called if no process of it was found. */
    void foundNothing() {
        unknown.ifPresent(failure -> {
            throw failure;
        });
    }

    /** Prints e.g. {@code n3 did not answer: what is there is not known}. */
    static void warnOfSilent(Console console, Optional<List<String>> nodes) {
        nodes.orElse(List.of())
                .forEach(node -> console.warn(Words.oneLine(node) + " did not answer, so its processes are unknown"));
    }

    private String folder() {
        Path folder = workspace.toAbsolutePath().normalize();
        try {
            return Files.exists(folder) ? folder.toRealPath().toString() : folder.toString();
        } catch (IOException unreadable) {
            return folder.toString();
        }
    }
}
