package dev.loopkeeper.cli.command.admin;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.loopkeeper.cli.print.Console;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.json.WireName;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Finds agents on the PATH. It sends no prompt: it reads versions, variables and login files, and asks an agent for its
 * login only if that is free.
 */
record AgentChecks(Map<String, String> environment, Duration patience) {
    private static final int MOST_BYTES = 4096;

    /** Whether an agent is logged in to a provider. */
    enum Login implements WireName {
        YES,
        NO,
        UNKNOWN
    }

    /**
     * An agent on the PATH.
     *
     * @param agent name of its program
     * @param version the version it prints, or why it printed none
     * @param found the reason for the value of {@code login}
     * @param remedy what to do if it is not known to be logged in
     */
    record Agent(
            String agent,
            String path,
            String version,
            Login login,
            String found,
            @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> remedy) {
        Agent(AgentProgram program, Path path, String version, Login login, String found) {
            this(
                    program.program(),
                    path.toString(),
                    version,
                    login,
                    found,
                    login == Login.YES ? Optional.empty() : Optional.of(program.remedy()));
        }
    }

    /** Returns the agents in the order of their names. All of them are queried at the same time. */
    List<Agent> all() {
        List<CompletableFuture<Agent>> asked = new ArrayList<>();
        for (AgentProgram program : AgentProgram.ALL) {
            Console.onPath(program.program(), environment)
                    .ifPresent(path -> asked.add(CompletableFuture.supplyAsync(() -> ask(program, path))));
        }
        return asked.stream().map(CompletableFuture::join).toList();
    }

    private Agent ask(AgentProgram program, Path path) {
        Answer version = run(path, List.of("--version"));
        String text = Words.shown(version.text().lines().findFirst().orElse("no version"));
        Optional<String> stored = stored(program);
        if (stored.isPresent()) {
            return new Agent(program, path, text, Login.YES, stored.get());
        }
        if (!program.question().isEmpty()) {
            Answer answer = run(path, program.question());
            String said = Words.shown(answer.text().lines().findFirst().orElse(""));
            if (answer.code() == 0) {
                return new Agent(program, path, text, Login.YES, said);
            }
            if (answer.text().toLowerCase(Locale.ROOT).contains("not logged in")) {
                return new Agent(program, path, text, Login.NO, said);
            }
        }
        return new Agent(program, path, text, Login.UNKNOWN, "no key or stored login found");
    }

    private Optional<String> stored(AgentProgram program) {
        Optional<String> key = program.keys().stream()
                .filter(name -> !environment.getOrDefault(name, "").isBlank())
                .findFirst();
        if (key.isPresent()) {
            return Optional.of("key in " + key.get());
        }
        Path home = program.homeVariable()
                .map(environment::get)
                .map(Path::of)
                .orElse(Path.of(environment.getOrDefault("HOME", "/")).resolve(program.home()));
        Path file = home.resolve(program.loginFile());
        return Files.isRegularFile(file) ? Optional.of("login in " + file) : Optional.empty();
    }

    /** @param code exit code; -1 if it timed out or could not be started */
    private record Answer(int code, String text) {}

    private Answer run(Path program, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(arguments);
        try {
            Path output = Files.createTempFile("loopkeeper-doctor", ".txt");
            try {
                ProcessBuilder builder = new ProcessBuilder(command)
                        .redirectInput(new File("/dev/null"))
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile());
                builder.environment().clear();
                builder.environment().putAll(environment);
                return await(builder.start(), output);
            } finally {
                Files.deleteIfExists(output);
            }
        } catch (IOException refused) {
            return new Answer(-1, "cannot be started: " + refused.getMessage());
        }
    }

    private Answer await(Process process, Path output) throws IOException {
        try {
            if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                end(process);
                return new Answer(-1, "no answer within " + patience.toSeconds() + " s");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            end(process);
            return new Answer(-1, "interrupted");
        }
        try (var stream = Files.newInputStream(output)) {
            String text = new String(stream.readNBytes(MOST_BYTES), StandardCharsets.UTF_8).strip();
            return new Answer(process.exitValue(), text);
        }
    }

    private static void end(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
