package dev.loopkeeper.cli.verb;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.session.Api;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.EndSignals;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.FeedReader;
import dev.loopkeeper.cli.session.RootCommand;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.run.RunStatus;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A run that the owner of the data folder carries out for this process, which follows it. A signal that ends this
 * process stops this run and no other; a second one kills at once.
 */
final class GuestRun implements AutoCloseable {
    private static final Duration STOPPING = Duration.ofSeconds(60);
    private static final Duration REPORTING = Duration.ofSeconds(2);

    private final RootCommand root;
    private final Api owner;
    private final Thread hook = new Thread(this::signalled, "loopkeeper-shutdown");
    private final CountDownLatch reported = new CountDownLatch(1);
    private final EndSignals signals;
    private volatile Optional<String> runId = Optional.empty();
    private Optional<FeedReader> feed = Optional.empty();
    private boolean ending;

    GuestRun(RootCommand root, Api owner) {
        this.root = root;
        this.owner = owner;
        Runtime.getRuntime().addShutdownHook(hook);
        this.signals = EndSignals.hear(this::tellOfSecond, this::hurry);
    }

    /**
     * Submits it; empty when the owner is not there any more or takes no more work, and then nothing was started.
     *
     * @param key a repeated one starts nothing again
     */
    synchronized Optional<String> submit(ObjectNode body, String key) {
        if (ending) {
            throw CommandFailure.refused("nothing was started: loopkeeper was told to end");
        }
        try {
            // Open before there is anything to hear, so that nothing is missed.
            feed = Optional.of(FeedReader.open(owner, Optional.empty(), Optional.empty()));
            runId = Optional.of(owner.submit(body, key).view().runId());
        } catch (CommandFailure refused) {
            if (refused.exitCode() != ExitCodes.UNREACHABLE) {
                throw refused;
            }
        }
        return runId;
    }

    /** Its exit code once it is at rest; empty when the owner is gone before that. */
    Optional<Integer> follow(boolean json) {
        try {
            return Optional.of(new Foreground(root, json).follow(owner, runId.orElseThrow(), feed.orElseThrow()));
        } catch (CommandFailure gone) {
            if (gone.exitCode() != ExitCodes.UNREACHABLE) {
                throw gone;
            }
            return Optional.empty();
        }
    }

    private synchronized Optional<String> end() {
        ending = true;
        return runId;
    }

    private void tellOfSecond() {
        root.console().warn("stopping" + runId.map(id -> " " + id).orElse("") + "; again to kill at once");
    }

    private void hurry() {
        runId.ifPresent(id -> stop(id, true));
    }

    private void signalled() {
        try {
            end().ifPresent(id -> stop(id, false));
            if (runId.isPresent() && !reported.await(REPORTING.toMillis(), TimeUnit.MILLISECONDS)) {
                root.console().err().flush();
            }
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
        }
    }

    private void stop(String id, boolean now) {
        ObjectNode body = Json.MAPPER.createObjectNode();
        body.put("reason", "the run command that asked for it was told to end").put("now", now);
        try {
            RunStatus status = owner.stop(id, body, STOPPING).view().status();
            root.console().err().flush();
            if (status == RunStatus.STOPPING) {
                root.console().warn(id + " is still stopping");
            }
        } catch (CommandFailure refused) {
            root.console().warn(refused.getMessage());
        }
    }

    /** Leaves the run to itself. While a signal ends this process that is waited for. */
    @Override
    public void close() {
        reported.countDown();
        feed.ifPresent(FeedReader::close);
        try {
            if (Runtime.getRuntime().removeShutdownHook(hook)) {
                signals.close();
            }
        } catch (IllegalStateException stopping) {
            joinHook();
        }
    }

    private void joinHook() {
        try {
            hook.join(STOPPING.plus(REPORTING).toMillis());
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
        }
    }
}
