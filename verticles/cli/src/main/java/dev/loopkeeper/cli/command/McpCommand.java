package dev.loopkeeper.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.RootCommand;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.gateway.mcp.McpApi;
import dev.loopkeeper.gateway.mcp.McpLimits;
import dev.loopkeeper.gateway.mcp.McpService;
import dev.loopkeeper.gateway.mcp.ToolFailure;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/**
 * The command {@code loopkeeper mcp}: a server of the Model Context Protocol on the standard streams. Inside a step it
 * offers only what the step may do.
 */
@Command(
        name = "mcp",
        description = "Serve the Model Context Protocol on standard input and output, for agents that start, watch and"
                + " answer runs. Inside a step it offers only signal, ask and context.")
public final class McpCommand implements Callable<Integer> {
    private static final int LONGEST_LINE = 4 << 20;
    private static final int MOST_AT_ONCE = 16;
    /** How long calls that wait for a run or a person may take after the end of input, and others of a halted server. */
    private static final Duration LAST_WAIT = Duration.ofMillis(1200);
    /** How long other calls may take after the end of input. */
    private static final Duration LAST_CALL = Duration.ofSeconds(10);

    private static final Duration SIGN_OF_LIFE = Duration.ofMillis(300);

    @ParentCommand
    private RootCommand root;

    private final Semaphore permits = new Semaphore(MOST_AT_ONCE);
    /** Calls under way. */
    private final Set<Call> calls = ConcurrentHashMap.newKeySet();

    private final ExecutorService workers = Executors.newFixedThreadPool(MOST_AT_ONCE, work -> {
        Thread worker = new Thread(work, "loopkeeper-mcp");
        worker.setDaemon(true);
        return worker;
    });

    @Option(names = "--read-only", fallbackValue = "true", description = "Offer no tool that changes anything.")
    private boolean readOnly;

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintStream protocol = root.console().out();
        // What anything else prints to standard output would be no protocol.
        System.setOut(System.err);
        try (Session session = root.open()) {
            StepTools step = new StepTools(session, root, this::begin);
            McpService service = step.isInside()
                    ? McpService.inStep(readOnly, endable(step), StepTools.signalFields())
                    : McpService.outside(readOnly, endable(new ManifestTools(session, root, this::begin)));
            McpApi api = (method, path, body) -> begin(
                    () -> session.requireServer().within(McpLimits.LONGEST_CALL).call(method, path, body));
            serve(service, api, new BufferedInputStream(System.in), protocol);
            finish(session);
        }
        return ExitCodes.DONE;
    }

    /** Begins to answer each line until the input ends. */
    private void serve(McpService service, McpApi api, InputStream input, PrintStream protocol)
            throws IOException, InterruptedException {
        for (Optional<String> line = line(input); line.isPresent(); line = line(input)) {
            if (line.get().isBlank()) {
                continue;
            }
            permits.acquire();
            var ignored = service.answer(line.get(), api).whenComplete((answer, failure) -> {
                if (answer != null) {
                    answer.ifPresent(text -> print(protocol, text));
                }
                permits.release();
            });
        }
    }

    /** @param waits whether it waits for a run or a person */
    private record Call(CompletableFuture<JsonNode> done, boolean waits) {}

    /** Lets the calls under way end, and ends those that a person, a run or a halted server would prolong. */
    private void finish(Session session) throws InterruptedException {
        boolean answered = answered(LAST_WAIT);
        end(Call::waits);
        if (!answered && !(lives(session) && answered(LAST_CALL))) {
            end(call -> true);
            if (!answered(SIGN_OF_LIFE)) {
                root.console().warn("the input ended before all calls were answered");
            }
        }
    }

    private boolean answered(Duration limit) throws InterruptedException {
        return permits.tryAcquire(MOST_AT_ONCE, limit.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void end(Predicate<Call> which) {
        calls.stream()
                .filter(which)
                .forEach(call -> call.done()
                        .completeExceptionally(new ToolFailure(
                                "the input ended before this call was done; the change may still happen")));
    }

    private static boolean lives(Session session) {
        try {
            return session.server()
                    .map(server -> server.within(SIGN_OF_LIFE).call("GET", "/session", Optional.empty()))
                    .isPresent();
        } catch (CommandFailure failure) {
            return failure.exitCode() != ExitCodes.UNREACHABLE;
        }
    }

    /** Performs these tools so that the end of input can end their calls. */
    private McpService.LocalTools endable(McpService.LocalTools tools) {
        return (name, usual) -> {
            McpService.Work work = tools.of(name, usual);
            return (api, arguments) -> {
                boolean waits = name.equals("ask") || arguments.has("wait");
                Call call = new Call(work.call(api, arguments).toCompletableFuture(), waits);
                calls.add(call);
                return call.done().whenComplete((answer, failure) -> calls.remove(call));
            };
        };
    }

    private static synchronized void print(PrintStream protocol, String answer) {
        protocol.println(answer);
        protocol.flush();
    }

    /** Reads one line; the rest of a longer one than {@link #LONGEST_LINE} is dropped, and no JSON remains. */
    private static Optional<String> line(InputStream input) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int next = input.read();
        if (next < 0) {
            return Optional.empty();
        }
        for (; next >= 0 && next != '\n'; next = input.read()) {
            if (line.size() < LONGEST_LINE) {
                line.write(next);
            }
        }
        return Optional.of(line.toString(StandardCharsets.UTF_8));
    }

    /** Does blocking work of a tool. */
    <T> CompletableFuture<T> begin(Callable<T> work) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return work.call();
                    } catch (CommandFailure expected) {
                        throw new ToolFailure(expected.getMessage());
                    } catch (Exception unexpected) {
                        throw new CompletionException(unexpected);
                    }
                },
                workers);
    }

    /** Runs blocking work of tools outside of the thread that reads the input. */
    interface Workers {
        <T> CompletableFuture<T> begin(Callable<T> work);
    }
}
