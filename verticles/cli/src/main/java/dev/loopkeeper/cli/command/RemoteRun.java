package dev.loopkeeper.cli.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.follow.FeedReader;
import dev.loopkeeper.cli.session.Api;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.Deadline;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.RootCommand;
import dev.loopkeeper.cli.session.ServerSilent;
import dev.loopkeeper.cli.session.ShutdownHook;
import dev.loopkeeper.json.Json;
import java.time.Duration;
import java.util.Optional;

/**
 * A run that the owner of the data folder executes and this process follows. A signal to this process stops only this
 * run; a second signal kills it at once.
 */
final class RemoteRun implements AutoCloseable {
    private static final Duration STOPPING = Duration.ofSeconds(60);
    private static final Duration ASKING = Duration.ofSeconds(10);

    private final RootCommand root;
    private final Api owner;
    private final ShutdownHook hook;
    private volatile Optional<String> runId = Optional.empty();
    private Optional<FeedReader> feed = Optional.empty();
    private volatile String received = "a signal";
    private boolean ending;

    RemoteRun(RootCommand root, Api owner) {
        this.root = root;
        this.owner = owner;
        this.hook = ShutdownHook.install(this::signalled, STOPPING.plus(ASKING), this::firstSignal, this::kill);
    }

    /**
     * Submits the run. Returns empty, with nothing started, if the owner is gone or accepts no more work.
     *
     * @param key idempotency key; a repeated key starts no second run
     */
    synchronized Optional<String> submit(ObjectNode body, String key) {
        if (ending) {
            throw CommandFailure.refused("nothing was started: loopkeeper is ending");
        }
        try {
            // Opened before the run exists, so that no event is missed.
            Api timely = owner.until(Deadline.after(Optional.of(Api.PATIENCE)));
            feed = Optional.of(FeedReader.open(timely, Optional.empty(), Optional.empty()));
            runId = Optional.of(timely.submit(body, key).view().runId());
        } catch (CommandFailure gone) {
            unlessGone(gone);
        }
        return runId;
    }

    /** Attaches to a run that this owner already executes; returns false if the owner is gone. */
    synchronized boolean attach(String running) {
        try {
            feed = Optional.of(FeedReader.open(owner, Optional.of(running), Optional.empty()));
            runId = Optional.of(running);
            return true;
        } catch (CommandFailure gone) {
            unlessGone(gone);
            return false;
        }
    }

    /** Follows the run and returns its exit code once it is at rest; empty if the owner ends before that. */
    Optional<Integer> follow(Foreground foreground) {
        try {
            return Optional.of(foreground.follow(owner, runId.orElseThrow(), feed.orElseThrow()));
        } catch (CommandFailure gone) {
            unlessGone(gone);
            return Optional.empty();
        }
    }

    /**
     * Rethrows the failure unless the owner is gone; an owner that only does not answer keeps the folder and its runs.
     */
    private void unlessGone(CommandFailure failure) {
        if (failure instanceof ServerSilent) {
            throw CommandFailure.unreachable(failure.getMessage() + "\n" + left());
        }
        if (failure.exitCode() != ExitCodes.UNREACHABLE) {
            throw failure;
        }
    }

    /** Returns what is known of the run, with the command that continues. */
    String left() {
        if (runId.isPresent()) {
            return runId.get() + " stays with that server; follow it again with: " + root.hint("watch " + runId.get());
        }
        return feed.isPresent()
                ? "the server may or may not have accepted the run; see: " + root.hint("runs")
                : "nothing was started";
    }

    private synchronized Optional<String> end() {
        ending = true;
        return runId;
    }

    private void firstSignal(String name) {
        received = name;
        root.console().warn("stopping" + runId.map(id -> " " + id).orElse("") + "; press Ctrl-C again to kill at once");
    }

    private void kill() {
        if (runId.isPresent()) {
            boolean unused = stop(runId.get(), true);
        }
    }

    /** Stops the run and waits; the thread that follows the run reports its end. */
    private void signalled(ShutdownHook shutdown) {
        Optional<String> id = end();
        if (id.isPresent() && stop(id.get(), false) && !shutdown.awaitReport(STOPPING)) {
            root.console().warn(id.get() + " is still stopping");
        }
    }

    private boolean stop(String id, boolean now) {
        ObjectNode body = Json.MAPPER.createObjectNode();
        body.put("reason", "the run command that submitted it received " + received)
                .put("now", now);
        try {
            Object unused = owner.within(ASKING).end(id, "stop", body, Duration.ZERO);
            return true;
        } catch (CommandFailure refused) {
            String left = refused.exitCode() == ExitCodes.UNREACHABLE
                    ? "\n" + id + " may continue; stop it with: " + root.hint("stop " + id)
                    : "";
            root.console().warn(refused.getMessage() + left);
            return false;
        }
    }

    /** Stops following; the run continues. During a shutdown by signal it waits for the hook. */
    @Override
    public void close() {
        feed.ifPresent(FeedReader::close);
        hook.close(() -> {});
    }
}
