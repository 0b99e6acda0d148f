package dev.loopkeeper.cli.command;

import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.RootCommand;
import dev.loopkeeper.verdict.SignalDraft;
import dev.loopkeeper.verdict.SignalOption;
import dev.loopkeeper.verdict.SignalReader;
import dev.loopkeeper.verdict.SignalStep;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/**
 * The command {@code loopkeeper signal}, which an agent calls in its step. It uses only the environment and the signal
 * file.
 */
@Command(
        name = "signal",
        description = "Inside a step: write the step's signal file, which reports the result of the work. An invalid"
                + " signal is refused (exit code 2), and the file is not touched.",
        footer = {"", "\"$LOOPKEEPER_SIGNAL\" takes the same options and starts without Java."})
public final class SignalCommand implements Callable<Integer> {
    private static final String STANDARD_INPUT = "-";

    @ParentCommand
    private RootCommand root;

    @Spec
    private CommandSpec spec;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "JSON",
            description = "In place of options: the signal as one JSON object; - reads it from stdin.")
    private String json;

    /** Returns the command, with one option for each {@link SignalOption}. */
    public static CommandSpec spec() {
        CommandSpec spec = CommandSpec.forAnnotatedObject(new SignalCommand());
        // The word after an option is always its value, and no word contains the end of options.
        spec.parser().allowOptionsAsOptionParameters(true).endOfOptionsDelimiter("\0");
        for (SignalOption option : SignalOption.values()) {
            String allowed = option.allowed().isEmpty() ? "" : ": " + String.join(", ", option.allowed());
            spec.addOption(OptionSpec.builder(option.word())
                    .paramLabel(option.allowed().isEmpty() ? "TEXT" : "VALUE")
                    .description(option.meaning() + allowed + ".")
                    .type(option.repeats() ? List.class : String.class)
                    .build());
        }
        return spec;
    }

    private Map<SignalOption, List<String>> options() {
        Map<SignalOption, List<String>> options = new EnumMap<>(SignalOption.class);
        for (SignalOption option : SignalOption.values()) {
            OptionSpec typed = spec.findOption(option.word());
            if (typed.getValue() != null) {
                options.put(option, option.repeats() ? typed.getValue() : List.of(typed.<String>getValue()));
            }
        }
        return options;
    }

    @Override
    public Integer call() throws IOException {
        Map<String, String> environment = root.console().environment();
        SignalStep step = step(environment);
        Map<SignalOption, List<String>> options = options();
        if (json != null && !options.isEmpty()) {
            refuse("options and JSON exclude each other; give one of them");
        }
        write(step, json == null ? SignalDraft.of(options, step.expected()) : SignalDraft.of(object(), step));
        return ExitCodes.DONE;
    }

    /** Returns the step that this process belongs to; outside of a step the signal is refused. */
    static SignalStep step(Map<String, String> environment) {
        SignalStep.obstacle(environment).ifPresent(SignalCommand::refuse);
        return SignalStep.of(environment);
    }

    private static void refuse(String why) {
        throw CommandFailure.refused("no signal was written: " + why);
    }

    private byte[] object() throws IOException {
        return json.equals(STANDARD_INPUT)
                ? System.in.readNBytes(SignalReader.MAX_BYTES + 1)
                : json.getBytes(StandardCharsets.UTF_8);
    }

    /** Writes the signal, or refuses it. */
    static void write(SignalStep step, SignalDraft draft) {
        if (draft instanceof SignalDraft.Refused refused) {
            refuse(refused.message());
        } else if (draft instanceof SignalDraft.Accepted accepted) {
            write(Path.of(step.file()).toAbsolutePath(), accepted.content());
        }
    }

    /** Replaces the signal file; a failure leaves it as it was. */
    private static void write(Path file, String content) {
        // Another process of the step may write at the same time, so the name of the draft contains the pid.
        Path draft = file.resolveSibling(
                "." + file.getFileName() + "." + ProcessHandle.current().pid() + ".new");
        try {
            if (Files.isDirectory(file)) {
                throw new FileSystemException(file.toString(), null, "it is a folder");
            }
            if (!Files.isDirectory(file.getParent())) {
                Files.createDirectories(file.getParent());
            }
            Files.writeString(draft, content);
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException refused) {
            remove(draft, refused);
            throw new CommandFailure(ExitCodes.FATAL, "signal file " + file + " cannot be written: " + reason(refused));
        }
    }

    private static void remove(Path draft, IOException why) {
        try {
            Files.deleteIfExists(draft);
        } catch (IOException stays) {
            why.addSuppressed(stays);
        }
    }

    private static String reason(IOException refused) {
        if (refused instanceof AccessDeniedException denied) {
            return "this user may not write " + denied.getFile();
        }
        return refused instanceof FileSystemException system
                ? Optional.ofNullable(system.getReason()).orElse(system.toString())
                : String.valueOf(refused.getMessage());
    }
}
