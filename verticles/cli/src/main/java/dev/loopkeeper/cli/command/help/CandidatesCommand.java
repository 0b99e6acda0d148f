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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
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

    @Parameters(index = "0", paramLabel = "KIND", description = "runs, steps or actions.")
    private String kind;

    @Parameters(index = "1", arity = "0..1", paramLabel = "BEGINNING", description = "The beginning of the word.")
    private String beginning = "";

    @Parameters(index = "2", arity = "0..1", paramLabel = "RUN", description = RunChoice.DESCRIPTION)
    private String run;

    @Override
    public Integer call() {
        // A daemon thread, so that a server that does not answer cannot delay the shell.
        Thread asking = Session.daemon("loopkeeper-candidates", this::offer);
        try {
            asking.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return ExitCodes.DONE;
    }

    /** Prints the words, and closes the session so that the next command finds the store closed. */
    private void offer() {
        try (Session session = root.open()) {
            words(session).stream()
                    .filter(word -> word.startsWith(beginning))
                    .distinct()
                    .forEach(root.console()::print);
        } catch (RuntimeException unknown) {
            // Not a field: the help creates this command, too, and needs no log.
            LoggerFactory.getLogger(CandidatesCommand.class).debug("nothing is offered", unknown);
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
        List<String> steps = new ArrayList<>();
        if (kind.equals(Completes.STEPS.word())) {
            facts.newestSteps(runId, MOST).forEach(step -> steps.add(0, step.stepId()));
        }
        return steps;
    }
}
