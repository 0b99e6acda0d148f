package dev.loopkeeper.worktree;

import dev.loopkeeper.contract.Changes;
import dev.loopkeeper.contract.WorktreeChannels.CommitMessage;
import dev.loopkeeper.contract.WorktreeChannels.CommitStep;
import dev.loopkeeper.contract.WorktreeChannels.StepCommitted;
import dev.loopkeeper.contract.WorktreeChannels.WorktreeLocation;
import dev.loopkeeper.contract.WorktreeException;
import dev.loopkeeper.contract.WorktreeException.Problem;
import dev.loopkeeper.data.OwnerOnly;
import dev.loopkeeper.git.GitAnswer;
import dev.loopkeeper.git.GitCall;
import dev.loopkeeper.git.GitNames;
import dev.loopkeeper.step.OneLine;
import dev.loopkeeper.step.ProtectedFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Commits the changes of steps. Blocking. */
record StepCommits(
        GitCalls calls,
        Commits commits,
        Folders folders,
        Checkouts checkouts,
        Uncommitted uncommitted,
        OnlyCopies onlyCopies,
        SharedSettings settings) {
    private static final Logger LOG = LoggerFactory.getLogger(StepCommits.class);
    private static final int MOST_WARNINGS = 10;
    /** Characters; leaves space for the name of the log in the line of a pause. */
    private static final int LONGEST_REASON = 120;

    StepCommitted commit(CommitStep command) {
        WorktreeLocation location = command.location();
        if (command.message().subject().isBlank()) {
            return compare(command);
        }
        List<String> reset = settings.setBackOwn(checkouts.at(location));
        Checkout checkout = checkouts.open(location, left(command));
        List<String> trailers = trailers(command);
        String head = checkouts.head(checkout, location, command.from());
        settings.compare(checkout, location);
        if (!head.equals(command.from())) {
            // A commit exists already: ours from before a crash, or one of the agent or a person.
            keepWhatWasLeft(checkout, command, head);
            if (commits.find(checkout.folder(), command.from(), head, made(command))
                    .isPresent()) {
                return answer(checkout, head, command, reset, List.of());
            }
        }
        refuseConflicts(checkout);
        List<String> left = uncommitted.add(checkout.folder());
        uncommitted.keep(checkout.folder(), command.from(), new ProtectedFiles(command.protect()));
        if (mayCommit(checkout, command)) {
            commit(checkout, command, trailers);
        }
        return answer(checkout, checkouts.head(checkout, location, head), command, reset, left);
    }

    private StepCommitted compare(CommitStep command) {
        List<String> warnings = checkouts
                .find(command.location())
                .map(checkout -> {
                    settings.compare(checkout, command.location());
                    return settings.warnings(checkout);
                })
                .orElse(List.of());
        return new StepCommitted(Optional.empty(), command.from(), "", Changes.NONE, Changes.NONE, warnings);
    }

    /**
     * Commits the remaining changes after all steps: a commit was refused, and a person accepted that.
     *
     * @param name what the steps worked on
     */
    void commitRest(WorktreeLocation location, String name, boolean hooks) {
        Optional<Checkout> there = checkouts.find(location).filter(uncommitted::isUnclean);
        if (there.isPresent()) {
            Optional<String> head = commits.ref(there.get().folder(), Refs.branch(location.branch()));
            if (head.isPresent()) {
                String from = head.get();
                Object unused = commit(new CommitStep(
                        location,
                        from,
                        from,
                        new CommitMessage(name + ": what was not committed", name + ".rest", "", "approved"),
                        hooks));
            }
        }
    }

    /**
     * Whether {@code git commit} may create a commit. Where nothing was added, it would still read the facts of every file.
     * Hooks may add files, and the end of a merge is a commit without changes.
     */
    private boolean mayCommit(Checkout checkout, CommitStep command) {
        return command.hooks() || checkout.isMerging() || uncommitted.isAdded(checkout);
    }

    private void commit(Checkout checkout, CommitStep command, List<String> trailers) {
        GitCall call = GitCall.in(checkout.folder(), "commit", "--quiet", "--cleanup=verbatim", "-F", "-")
                .given(Commits.message(command.message().subject(), trailers))
                .with(commits.author(checkout.folder()))
                // A user who ignores submodules elsewhere would have a step without a commit.
                .set("diff.ignoreSubmodules", "dirty")
                .hooks(command.hooks());
        GitAnswer answer = calls.ask(call);
        if (!answer.isGood() && uncommitted.isAdded(checkout)) {
            WorktreeException failure = GitCalls.failure(call, answer);
            throw failure.problem() == Problem.FAILED && command.hooks()
                    ? new WorktreeException(
                            Problem.HOOK_REFUSED, refusal(command.location().runId(), failure.getMessage(), answer))
                    : failure;
        }
    }

    /** A hook ends with its reason, perhaps behind long output. */
    private String refusal(String runId, String text, GitAnswer answer) {
        String said = answer.complaint();
        if (said.length() <= LONGEST_REASON) {
            return text;
        }
        String reason = "git commit ended with " + answer.exit() + ": " + OneLine.end(said, LONGEST_REASON);
        Path log = folders.run(runId).resolve("hook.log");
        try {
            OwnerOnly.write(log, said + "\n");
            return reason + "; all of the output is in " + log;
        } catch (IOException unwritten) {
            return reason + "; " + log + " cannot be written: " + unwritten;
        }
    }

    private static List<String> made(CommitStep command) {
        List<String> trailers = new ArrayList<>();
        trailers.add(Commits.trailer("Run", command.location().runId()));
        trailers.add(Commits.trailer("Step", command.message().stepId()));
        if (!command.message().attempt().isBlank()) {
            trailers.add(Commits.trailer("Attempt", command.message().attempt()));
        }
        return trailers;
    }

    private static List<String> trailers(CommitStep command) {
        List<String> trailers = made(command);
        trailers.add(2, Commits.trailer("Verdict", command.message().verdict()));
        return trailers;
    }

    private StepCommitted answer(
            Checkout checkout, String head, CommitStep command, List<String> reset, List<String> left) {
        checkout.syncRef(command.location().branch());
        Commits.Compared compared = commits.compare(checkout.folder(), head, command.from(), command.base());
        return new StepCommitted(
                head.equals(command.from()) ? Optional.empty() : Optional.of(head),
                head,
                compared.tree(),
                compared.changes().get(0),
                compared.changes().get(1),
                Stream.concat(reset.stream(), warnings(checkout, compared.links(), left).stream())
                        .toList());
    }

    /** Warns about repositories in the worktree: git records at most their newest commit, never a file. */
    private List<String> warnings(Checkout checkout, List<String> links, List<String> withoutCommit) {
        Stream<String> recorded = links.stream()
                .map(path -> checkout.folder().resolve(path))
                .flatMap(folder -> onlyCopies.reason(checkout, folder).stream())
                .map(reason ->
                        "only the newest commit of the nested repository is recorded, none of its files: " + reason);
        Stream<String> left = withoutCommit.stream()
                .map(path -> path + " is a nested repository without a commit, so none of its files is committed");
        Stream<String> repositories = Stream.concat(recorded, left)
                .limit(MOST_WARNINGS)
                .map(what -> what + "; the repository exists only in " + checkout.folder());
        return Stream.concat(settings.warnings(checkout).stream(), repositories).toList();
    }

    private static String left(CommitStep command) {
        return Refs.undone(
                command.location().runId(), "left-by-" + command.message().stepId());
    }

    /** Keeps the recorded head reachable where an agent moved its branch elsewhere. */
    private void keepWhatWasLeft(Checkout checkout, CommitStep command, String head) {
        if (!commits.isAncestor(checkout.folder(), command.from(), head)) {
            String kept = left(command);
            commits.update(checkout.folder(), "update " + kept + " " + command.from());
            LOG.info("{} is no longer in the history of {}; it is kept as {}", command.from(), head, kept);
        }
    }

    /** Refuses unresolved conflicts, since adding the files would mark them as resolved. */
    private void refuseConflicts(Checkout checkout) {
        if (!checkout.isMerging()) {
            return;
        }
        Set<String> files = new LinkedHashSet<>();
        for (byte[] entry : calls.good(GitCall.in(checkout.folder(), "ls-files", "--unmerged", "-z"))
                .fields()) {
            int tab = new String(entry, StandardCharsets.ISO_8859_1).indexOf('\t');
            files.add(GitNames.spelled(Arrays.copyOfRange(entry, tab + 1, entry.length)));
        }
        if (!files.isEmpty()) {
            throw new WorktreeException(
                    Problem.UNMERGED,
                    "a merge is in progress in " + checkout.folder() + " and these files conflict: "
                            + String.join(", ", files),
                    List.copyOf(files));
        }
    }
}
