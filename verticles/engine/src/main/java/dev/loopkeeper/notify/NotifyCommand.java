package dev.loopkeeper.notify;

import dev.loopkeeper.contract.KillReceipt;
import dev.loopkeeper.data.OwnerOnly;
import dev.loopkeeper.data.RunPaths;
import dev.loopkeeper.manifest.CommandLine;
import dev.loopkeeper.manifest.PromptTemplate;
import dev.loopkeeper.process.tree.CommandSweep;
import dev.loopkeeper.step.Sha256;
import dev.loopkeeper.submit.ProgramLookup;
import dev.loopkeeper.work.OwnEnvironment;
import dev.loopkeeper.work.OwnSession;
import dev.loopkeeper.work.SingleFlight;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs notification commands once each, without retries. Values are filled in as complete arguments and never parsed by
 * a shell. A command written as one text runs in a shell and gets variables instead of values, so the output of an
 * agent never becomes part of the program. Used from one context only.
 */
final class NotifyCommand {
    private static final Logger LOGGER = LoggerFactory.getLogger(NotifyCommand.class);
    private static final Path NOTHING = Path.of("/dev/null");
    private static final String LOG_FILE = "notify.log";
    /** A log of this size is full; the next command sets it aside and begins a new one. */
    private static final long MOST_LOGGED = 8L << 20;

    private static final String OLDER_LOG = LOG_FILE + ".1";

    /** Reads all that a command prints and keeps what fits: a file of its own would grow until the disk is full. */
    private static final List<String> KEEP_WHAT_FITS =
            List.of("sh", "-c", "trap '' XFSZ; ulimit -f " + MOST_LOGGED / 512 + "; cat; cat >/dev/null");

    private static final String PREFIX = "LOOPKEEPER_";

    private final Vertx vertx;
    private final WorkerExecutor workers;
    private final Path runs;
    private final Duration limit;

    /** Prefix of the nonces of this data folder's commands. */
    private final String noncePrefix;

    /** Nonces of commands that survived an earlier runtime; empty until a scan has succeeded. */
    private Optional<Set<String>> outlived = Optional.empty();

    private final Function<String, Future<Set<String>>> living;
    private final SingleFlight<Set<String>> scans = new SingleFlight<>(this::scanForOutlived);
    private final Set<Running> running = new HashSet<>();
    private boolean ending;

    private record Started(Process process, CommandSweep sweep) {}

    private record Running(Started started, Promise<DeliveryOutcome> over, AtomicBoolean swept) {}

    NotifyCommand(Vertx vertx, WorkerExecutor workers, Path data, Duration limit) {
        this(vertx, workers, data, limit, noncePrefix -> CommandSweep.living(vertx, workers, noncePrefix));
    }

    /** @param living finds the nonces with this prefix that running processes carry */
    NotifyCommand(
            Vertx vertx,
            WorkerExecutor workers,
            Path data,
            Duration limit,
            Function<String, Future<Set<String>>> living) {
        this.living = living;
        this.vertx = vertx;
        this.workers = workers;
        this.runs = RunPaths.runs(data);
        this.limit = limit;
        this.noncePrefix = "command-" + Sha256.hex(data.toString()).substring(0, 16) + "-";
    }

    /** Runs a command; never fails, and always has an outcome soon after the limit. */
    Future<DeliveryOutcome> run(CommandLine command, Targets targets, Message message) {
        return workers.executeBlocking(() -> argv(command, Path.of(targets.baseDir()), message), false)
                .compose(words -> run(words, targets, message))
                .otherwise(
                        cause -> new DeliveryOutcome.Undeliverable("the command cannot be run: " + cause.getMessage()));
    }

    private Future<DeliveryOutcome> run(List<String> words, Targets targets, Message message) {
        // Its beginning is the same in each runtime, so that the next one recognises surviving processes.
        String same = noncePrefix + Sha256.hex(message.delivery() + words).substring(0, 32) + "-";
        String runId = message.event().runId();
        CommandSweep sweep = new CommandSweep(vertx, workers, runId, same + UUID.randomUUID());
        return endOutlived(same, runId)
                .compose(ended -> workers.executeBlocking(() -> start(words, sweep, targets, message), false))
                .compose(this::end);
    }

    /** Kills the same command of an earlier runtime, which was killed while the command ran. */
    private Future<Void> endOutlived(String same, String runId) {
        return outlived()
                .otherwise(Set.of())
                .compose(left -> Future.join(left.stream()
                        .filter(nonce -> nonce.startsWith(same))
                        .map(nonce -> new CommandSweep(vertx, workers, runId, nonce)
                                .kill()
                                .onComplete(NotifyCommand::warnUnlessGone))
                        .toList()))
                .<Void>mapEmpty()
                .otherwiseEmpty();
    }

    /** Returns the nonces of commands that survived an earlier runtime; fails where the scan failed. */
    Future<Set<String>> outlived() {
        return outlived.map(Future::succeededFuture).orElseGet(scans::join);
    }

    /** Scans the processes; after a failure the next command scans again. */
    private Future<Set<String>> scanForOutlived() {
        return living.apply(noncePrefix)
                .onSuccess(left -> outlived = Optional.of(left))
                .onFailure(unknown -> LOGGER.warn(
                        "cannot find commands of an earlier runtime; the next command scans again: {}",
                        unknown.toString()));
    }

    private Started start(List<String> command, CommandSweep sweep, Targets targets, Message message)
            throws IOException {
        Path folder = Files.createDirectories(runs.resolve(message.event().runId()));
        Path workspace = Path.of(targets.workspace());
        ProcessBuilder printing = builder(command)
                .directory((Files.isDirectory(workspace) ? workspace : folder).toFile())
                .redirectInput(Redirect.from(NOTHING.toFile()))
                .redirectErrorStream(true);
        printing.environment().putAll(variables(message));
        sweep.mark(printing.environment());
        // Without the mark: it reads to the end what the command printed, and ends with that.
        ProcessBuilder keeping =
                builder(KEEP_WHAT_FITS).redirectErrorStream(true).redirectOutput(Redirect.appendTo(log(folder)));
        Process process =
                ProcessBuilder.startPipeline(List.of(printing, keeping)).get(0);
        sweep.begun(process);
        return new Started(process, sweep);
    }

    private static ProcessBuilder builder(List<String> command) {
        List<String> words = new ArrayList<>(OwnSession.words());
        words.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(words);
        OwnEnvironment.giveBack(builder.environment());
        return builder;
    }

    private static File log(Path folder) throws IOException {
        Path log = folder.resolve(LOG_FILE);
        if (Files.exists(log) && Files.size(log) >= MOST_LOGGED) {
            Files.move(log, folder.resolve(OLDER_LOG), StandardCopyOption.REPLACE_EXISTING);
        }
        OwnerOnly.touch(log);
        return log.toFile();
    }

    /** Returns the command line; a relative program is resolved against the manifest's folder. */
    static List<String> argv(CommandLine command, Path baseDir, Message message) {
        Map<String, String> values = new LinkedHashMap<>(message.values());
        if (command.shell()) {
            values.replaceAll((name, value) -> "${" + variable(name) + "}");
        }
        return ProgramLookup.words(
                baseDir,
                command.argv().stream()
                        .map(word -> new PromptTemplate(word).render(values))
                        .toList());
    }

    private static Map<String, String> variables(Message message) {
        Map<String, String> variables = new LinkedHashMap<>();
        message.values().forEach((name, value) -> variables.put(variable(name), value));
        return variables;
    }

    /** Returns the name of the variable, e.g. {@code LOOPKEEPER_RUN_ID}. */
    private static String variable(String name) {
        return PREFIX + name.replaceAll("([A-Z])", "_$1").toUpperCase(Locale.ROOT);
    }

    private Future<DeliveryOutcome> end(Started started) {
        Running one = new Running(started, Promise.promise(), new AtomicBoolean());
        running.add(one);
        long timer = vertx.setTimer(
                limit.toMillis(),
                tick -> kill(
                        one,
                        "the command was killed after " + limit.toSeconds() + " s",
                        DeliveryOutcome.Undeliverable::new));
        Future.fromCompletionStage(started.process().onExit(), vertx.getOrCreateContext())
                .onComplete(ended -> end(one, gone -> judge(ended.exitValue())), one.over()::tryFail);
        if (ending) {
            cutOff(one);
        }
        return one.over().future().onComplete(known -> {
            vertx.cancelTimer(timer);
            running.remove(one);
        });
    }

    /**
     * Kills all running commands during the shutdown. Each is a failed attempt, which the next runtime may repeat.
     */
    Future<Void> endAll() {
        ending = true;
        List<Running> all = List.copyOf(running);
        all.forEach(this::cutOff);
        return Future.join(all.stream().map(one -> one.over().future()).toList())
                .mapEmpty();
    }

    private void cutOff(Running one) {
        kill(one, "the command was killed because Loopkeeper stopped", DeliveryOutcome.Failed::new);
    }

    private void kill(Running one, String text, Function<String, DeliveryOutcome> outcome) {
        end(one, gone -> outcome.apply(gone ? text : text + " but is still running"));
    }

    /**
     * Ends a command and what it started; once.
     *
     * @param outcome by whether nothing is left
     */
    private void end(Running one, Function<Boolean, DeliveryOutcome> outcome) {
        if (one.swept().compareAndSet(false, true)) {
            one.started().sweep().kill().onComplete(swept -> {
                warnUnlessGone(swept);
                one.over().tryComplete(outcome.apply(isGone(swept)));
            });
        }
    }

    private static void warnUnlessGone(AsyncResult<KillReceipt> swept) {
        if (!isGone(swept)) {
            LOGGER.warn("the command of a notification is still running: {}", swept);
        }
    }

    private static boolean isGone(AsyncResult<KillReceipt> swept) {
        return swept.succeeded() && swept.result().outcome() == KillReceipt.Outcome.gone;
    }

    private static DeliveryOutcome judge(int exitCode) {
        return exitCode == 0
                ? DeliveryOutcome.DELIVERED
                : new DeliveryOutcome.Undeliverable("the command ended with exit code " + exitCode);
    }
}
