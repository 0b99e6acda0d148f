package dev.loopkeeper.cli.command.help;

import dev.loopkeeper.cli.session.Api;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.RootCommand;
import dev.loopkeeper.cli.session.RunChoice;
import dev.loopkeeper.cli.session.RunFacts;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.cli.session.StoreFacts;
import dev.loopkeeper.termination.ResumeAction;
import dev.loopkeeper.view.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/**
 * The hidden command {@code loopkeeper complete-words KIND [BEGINNING] [RUN]}, which prints words for the shell, one
 * per line. The scripts of {@code completion} call it while a person types, so it is quick and prints nothing if it
 * fails.
 */
@Command(name = CandidatesCommand.NAME, description = "Words for the completion of a shell.", hidden = true)
public final class CandidatesCommand implements Callable<Integer> {
    static final String NAME = "complete-words";

    private static final long PATIENCE_SECONDS = 3;
    private static final Duration FOR_SERVER = Duration.ofSeconds(1);
    private static final int MOST = 200;

    @ParentCommand
    private RootCommand root;

    @Parameters(index = "0", paramLabel = "KIND", description = "runs, steps, actions or agents.")
    private String kind;

    @Parameters(index = "1", arity = "0..1", paramLabel = "BEGINNING", description = "The beginning of the word.")
    private String beginning = "";

    @Parameters(index = "2", arity = "0..1", paramLabel = "RUN", description = RunChoice.DESCRIPTION)
    private String run;

    @Override
    public Integer call() {
        CompletableFuture<List<String>> found = new CompletableFuture<>();
        Thread asking = new Thread(() -> look(found), "loopkeeper-candidates");
        // A daemon thread, so that a server that does not answer cannot delay the shell.
        asking.setDaemon(true);
        asking.start();
        try {
            found.get(PATIENCE_SECONDS, TimeUnit.SECONDS).forEach(root.console()::print);
            // Waits until the session is closed, so that the next command finds the store closed.
            asking.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
        } catch (ExecutionException | TimeoutException unknown) {
            // Not a field: the help creates this command, too, and needs no log.
            LoggerFactory.getLogger(CandidatesCommand.class).debug("nothing is offered", unknown);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return ExitCodes.DONE;
    }

    private void look(CompletableFuture<List<String>> found) {
        try (Session session = root.open()) {
            found.complete(words(session).stream()
                    .filter(word -> word.startsWith(beginning))
                    .distinct()
                    .toList());
        } catch (RuntimeException failed) {
            found.completeExceptionally(failed);
        }
    }

    /** If the server of this data folder hangs or has just ended, reads from its store. */
    private List<String> words(Session session) {
        Optional<Api> server = session.server();
        if (server.isPresent()) {
            try (RunFacts facts = RunFacts.of(server.get().within(FOR_SERVER))) {
                return candidates(facts);
            } catch (CommandFailure failed) {
                if (failed.exitCode() != ExitCodes.UNREACHABLE || root.server().isPresent()) {
                    throw failed;
                }
            }
        }
        try (RunFacts facts = new StoreFacts(session.vertx(), root)) {
            return candidates(facts);
        }
    }

    private List<String> candidates(RunFacts facts) {
        if (kind.equals(Completes.RUNS.word())) {
            return facts.ids(Optional.of(beginning).filter(text -> !text.isEmpty()), MOST);
        }
        if (run == null) {
            return List.of();
        }
        String runId = new RunChoice(facts, root).of(run);
        if (kind.equals(Completes.ACTIONS.word())) {
            return facts.explain(runId).view().allowedActions().stream()
                    .map(ResumeAction::wire)
                    .toList();
        }
        return kind.equals(Completes.STEPS.word())
                ? newestFirst(facts.newestSteps(runId, MOST)).stream()
                        .map(Step::stepId)
                        .toList()
                : kind.equals(Completes.AGENTS.word())
                        ? facts.newestSteps(runId, MOST).stream()
                                .filter(step -> step.endedAt().isEmpty())
                                .map(Step::agent)
                                .toList()
                        : List.of();
    }

    private static List<Step> newestFirst(List<Step> steps) {
        List<Step> turned = new ArrayList<>(steps);
        Collections.reverse(turned);
        return turned;
    }
}
