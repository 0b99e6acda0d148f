package dev.loopkeeper.cli.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.EnumNames;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.JsonOption;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.json.WireName;
import dev.loopkeeper.manifest.SandboxSpec;
import dev.loopkeeper.process.SandboxMachine;
import dev.loopkeeper.step.SandboxPlan;
import dev.loopkeeper.submit.Submissions;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code loopkeeper init}. */
@Command(
        name = "init",
        description =
                "Write a manifest to begin with, the agents or prompts that it names, and its schema for" + " editors.",
        footer = {
            "",
            "improve-report needs nothing but a POSIX shell and really runs, parallel-items needs git beside it;",
            "claude-code, codex, gemini and opencode need that program, two-models needs three.",
            "--agent writes a loop for your own project: the agent works until the check passes.",
            "If one of the files exists, nothing is written, and the exit code is 2."
        })
public final class InitCommand extends FactsCommand {
    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "DIR",
            description = "The folder, which is created if necessary. Default: this folder.")
    private Path folder = Path.of("");

    @Option(
            names = "--example",
            paramLabel = "EXAMPLE",
            converter = InitCommand.Examples.class,
            completionCandidates = InitCommand.Examples.class,
            description =
                    "improve-report (default), parallel-items, claude-code, codex, gemini, opencode or two-models.")
    private Starter starter;

    @Option(
            names = "--agent",
            paramLabel = "AGENT",
            converter = InitCommand.Agents.class,
            completionCandidates = InitCommand.Agents.class,
            description = "A loop for this project: claude-code (or claude), codex, gemini or opencode.")
    private OwnProject agent;

    @Option(
            names = "--check",
            paramLabel = "COMMAND",
            description = "With --agent: the command that exits with 0 when the work is done. Default: make test.")
    private String check;

    @Option(
            names = "--task",
            paramLabel = "TEXT",
            description = "With --agent: what the agent is to do; written into prompts/work.md.")
    private String task;

    /** The sandbox of the agent, or why it has none. */
    private Optional<String> level = Optional.empty();

    /** The values of {@code --example}. */
    static final class Examples extends EnumNames<Starter> {
        Examples() {
            super(Starter.class);
        }
    }

    /** The values of {@code --agent}. */
    static final class Agents extends EnumNames<OwnProject> {
        Agents() {
            super(OwnProject.class);
        }
    }

    @Override
    public Integer call() {
        refuseContradictions();
        Map<Path, String> contents = new LinkedHashMap<>();
        try {
            (agent == null ? example() : ownProject())
                    .forEach((file, text) -> contents.put(folder.resolve(file), text));
        } catch (IOException broken) {
            throw CommandFailure.refused(broken.getMessage());
        }
        refuseToOverwrite(contents);
        write(contents);
        report(folder.resolve(Starter.MANIFEST), List.copyOf(contents.keySet()));
        return ExitCodes.DONE;
    }

    /** With a sandbox where this machine can enforce it in the project itself. */
    private Map<String, String> ownProject() throws IOException {
        Path data = root.dataFolder().path();
        Optional<String> lacking;
        try {
            SandboxPlan plan =
                    SandboxMachine.near(data).plan(SandboxSpec.WORKSPACE, agent.program(), data, folder, true);
            lacking = plan.lacking();
            level = Optional.of(lacking.map(why -> "none, " + why).orElse(plan.level()));
        } catch (IOException unknown) {
            lacking = Optional.of(unknown.toString());
            level = lacking.map(why -> "none, " + why);
        }
        return agent.files(folder, check == null ? OwnProject.CHECK : check, task, lacking.isEmpty());
    }

    private void refuseContradictions() {
        if (agent != null && starter != null) {
            throw CommandFailure.refused("--agent and --example exclude each other; give one of them");
        }
        if (agent == null && check != null) {
            throw CommandFailure.refused(
                    "--check belongs to --agent; give one of " + String.join(", ", WireName.all(OwnProject.class)));
        }
        if (task != null && (agent == null || task.isBlank())) {
            throw CommandFailure.refused("--task belongs to --agent, and must describe a task");
        }
        if (check != null && (check.isBlank() || check.contains("\n"))) {
            throw CommandFailure.refused("--check must be a command of one line");
        }
    }

    private Map<String, String> example() throws IOException {
        Starter chosen = starter == null ? Starter.IMPROVE_REPORT : starter;
        Map<String, String> files = new LinkedHashMap<>();
        files.put(Starter.MANIFEST, chosen.manifest());
        for (String file : chosen.files()) {
            files.put(file, chosen.text(file));
        }
        files.put(Starter.SCHEMA, Starter.schema());
        return files;
    }

    private static void refuseToOverwrite(Map<Path, String> contents) {
        List<String> there = contents.keySet().stream()
                .filter(file -> Files.exists(file, LinkOption.NOFOLLOW_LINKS))
                .map(Path::toString)
                .toList();
        if (!there.isEmpty()) {
            throw CommandFailure.refused(String.join(", ", there) + (there.size() == 1 ? " exists" : " exist")
                    + " already, so nothing was written; name another folder, or move what exists away");
        }
    }

    /** Writes all files, or none if writing fails. */
    private static void write(Map<Path, String> contents) {
        List<Path> written = new ArrayList<>();
        try {
            for (Map.Entry<Path, String> file : contents.entrySet()) {
                Files.createDirectories(file.getKey().toAbsolutePath().getParent());
                written.add(file.getKey());
                Files.writeString(file.getKey(), file.getValue(), StandardOpenOption.CREATE_NEW);
                if (file.getValue().startsWith("#!") && !file.getKey().toFile().setExecutable(true)) {
                    throw new FileSystemException(file.getKey().toString(), null, "cannot be made executable");
                }
            }
        } catch (IOException refused) {
            takeBack(written, refused);
            String reason = refused instanceof FileAlreadyExistsException ? "a file is in the way" : refused.toString();
            throw CommandFailure.refused("nothing was written: " + reason);
        }
    }

    private static void takeBack(List<Path> written, IOException why) {
        for (Path file : written) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException stays) {
                why.addSuppressed(stays);
            }
        }
    }

    private void report(Path manifest, List<Path> files) {
        if (json.wanted()) {
            ObjectNode answer = Json.MAPPER.createObjectNode().put("manifest", manifest.toString());
            files.forEach(file -> answer.withArrayProperty("files").add(file.toString()));
            level.ifPresent(text -> answer.put("sandbox", text));
            print(JsonOption.pretty(answer));
            return;
        }
        files.forEach(file -> print("wrote " + file));
        level.ifPresent(text -> print("sandbox of the agent: " + text));
        print("check it: " + root.hint("validate") + " " + Words.quoted(manifest.toString()));
        print("run it:   " + root.hint("run") + " " + Words.quoted(manifest.toString()));
        if (agent != null && task == null) {
            print("first, replace " + Submissions.TASK_PLACEHOLDER + " by the task in "
                    + Words.quoted(folder.resolve(OwnProject.PROMPT).toString()));
        }
    }
}
