package dev.loopkeeper.worktree;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.contract.WorktreeChannels.CommitStep;
import dev.loopkeeper.contract.WorktreeChannels.EndHooks;
import dev.loopkeeper.contract.WorktreeChannels.ResetWorktree;
import dev.loopkeeper.contract.WorktreeChannels.StepCommitted;
import dev.loopkeeper.contract.WorktreeChannels.WorktreePlace;
import dev.loopkeeper.contract.WorktreeChannels.WorktreeReset;
import dev.loopkeeper.contract.WorktreeException;
import dev.loopkeeper.contract.WorktreeException.Problem;
import dev.loopkeeper.git.GitAnswer;
import dev.loopkeeper.git.GitCall;
import dev.loopkeeper.git.GitNames;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Commits the changes in a worktree, and undoes commits. Blocking. */
final class StepCommits {
    private static final Logger LOG = LoggerFactory.getLogger(StepCommits.class);
    /** Excludes the files that Loopkeeper and its agents exchange, which are not part of the work. */
    private static final String WITHOUT_OURS = ":(exclude,glob)**/.loopkeeper/**";

    private static final Pattern REPOSITORY_WITHOUT_COMMIT =
            Pattern.compile("'(.+?)/?' does not have a commit checked out");

    private static final int MOST_WARNINGS = 10;

    private final GitCalls calls;
    private final RunningGits running;
    private final Commits commits;
    private final Folders folders;
    private final StaleLocks locks;
    private final OnlyCopies onlyCopies;
    private final SharedSettings settings;

    StepCommits(
            GitCalls calls,
            RunningGits running,
            Commits commits,
            Folders folders,
            StaleLocks locks,
            OnlyCopies onlyCopies,
            SharedSettings settings) {
        this.calls = calls;
        this.running = running;
        this.commits = commits;
        this.folders = folders;
        this.locks = locks;
        this.onlyCopies = onlyCopies;
        this.settings = settings;
    }

    StepCommitted commit(CommitStep command) {
        WorktreePlace place = command.place();
        List<String> reset = settings.setBackOwn(Checkout.at(folders.of(place)));
        Checkout checkout = open(place, left(command));
        List<String> trailers = trailers(command);
        String head = head(checkout, place, command.from());
        if (!head.equals(command.from())) {
            // A commit exists already: ours from before a crash, or one of the agent or a person.
            keepWhatWasLeft(checkout, command, head);
            if (commits.find(checkout.folder(), command.from(), head, made(command))
                    .isPresent()) {
                checkout.syncRef(place.branch());
                Commits.Compared compared = commits.compare(checkout.folder(), head, command.from(), command.base());
                return answer(checkout, compared, command, reset, List.of());
            }
        }
        refuseConflicts(checkout);
        List<String> left = add(checkout.folder());
        if (mayCommit(checkout, command)) {
            commit(checkout, command, trailers);
        }
        String made = head(checkout, place, head);
        checkout.syncRef(place.branch());
        return answer(
                checkout,
                commits.compare(checkout.folder(), made, command.from(), command.base()),
                command,
                reset,
                left);
    }

    /**
     * Commits the remaining changes after all steps: a commit was refused, and a person accepted that.
     *
     * @param name what the steps worked on
     */
    void commitRest(WorktreePlace place, String name, boolean hooks) {
        Optional<Checkout> there = Checkout.find(folders.of(place)).filter(this::isUnclean);
        if (there.isPresent()) {
            Optional<String> head = commits.ref(there.get().folder(), Refs.branch(place.branch()));
            if (head.isPresent()) {
                String from = head.get();
                Object unused = commit(new CommitStep(
                        place, from, from, name + ".rest", "approved", "", name + ": what was not committed", hooks));
            }
        }
    }

    /** Whether {@link #adding} would find changes. */
    boolean isUnclean(Checkout checkout) {
        GitCall call = GitCall.in(
                        checkout.folder(),
                        "status",
                        "--porcelain=v1",
                        "-z",
                        "--no-renames",
                        "--untracked-files=normal",
                        "--ignore-submodules=dirty",
                        "--",
                        ".",
                        WITHOUT_OURS)
                .with(Map.of("GIT_OPTIONAL_LOCKS", "0"));
        return calls.good(call).bytes().length > 0;
    }

    /**
     * Whether {@code git commit} may create a commit. Where nothing was added, it would still read the facts of every file.
     * Hooks may add files, and the end of a merge is a commit without changes.
     */
    private boolean mayCommit(Checkout checkout, CommitStep command) {
        return command.hooks() || checkout.isMerging() || isChanged(checkout);
    }

    private void commit(Checkout checkout, CommitStep command, List<String> trailers) {
        GitCall call = GitCall.in(checkout.folder(), "commit", "--quiet", "--cleanup=verbatim", "-F", "-")
                .given(Commits.message(command.subject(), trailers))
                .with(commits.author(checkout.folder()))
                // A user who ignores submodules elsewhere would have a step without a commit.
                .set("diff.ignoreSubmodules", "dirty")
                .hooks(command.hooks());
        GitAnswer answer = command.hooks()
                ? running.askWithHooks(new EndHooks(command.place().runId(), command.stepId()), checkout, calls, call)
                : calls.ask(call);
        if (!answer.isGood() && isChanged(checkout)) {
            WorktreeException failure = GitCalls.failure(call, answer);
            throw failure.problem() == Problem.FAILED && command.hooks()
                    ? new WorktreeException(Problem.HOOK_REFUSED, failure.getMessage())
                    : failure;
        }
    }

    private static List<String> made(CommitStep command) {
        List<String> trailers = new ArrayList<>();
        trailers.add(Commits.trailer("Run", command.place().runId()));
        trailers.add(Commits.trailer("Step", command.stepId()));
        if (!command.attempt().isBlank()) {
            trailers.add(Commits.trailer("Attempt", command.attempt()));
        }
        return trailers;
    }

    private static List<String> trailers(CommitStep command) {
        List<String> trailers = made(command);
        trailers.add(2, Commits.trailer("Verdict", command.verdict()));
        return trailers;
    }

    private StepCommitted answer(
            Checkout checkout, Commits.Compared compared, CommitStep command, List<String> reset, List<String> left) {
        String head = compared.head();
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
                .map(reason -> "only its newest commit is recorded, none of its files: " + reason);
        Stream<String> left = withoutCommit.stream()
                .map(path ->
                        "none of its files is committed: " + path + " is a repository of its own without a commit");
        Stream<String> repositories = Stream.concat(recorded, left)
                .limit(MOST_WARNINGS)
                .map(what -> what + "; it exists in " + checkout.folder() + " alone");
        return Stream.concat(settings.changes(checkout).stream(), repositories).toList();
    }

    private static String left(CommitStep command) {
        return Refs.undone(command.place().runId(), "left-by-" + command.stepId());
    }

    /** Keeps the recorded head reachable where an agent moved its branch elsewhere. */
    private void keepWhatWasLeft(Checkout checkout, CommitStep command, String head) {
        if (!commits.isAncestor(checkout.folder(), command.from(), head)) {
            String kept = left(command);
            commits.update(checkout.folder(), "update " + kept + " " + command.from());
            LOG.info("{} is not in the history of {} any more; it is kept as {}", command.from(), head, kept);
        }
    }

    WorktreeReset reset(ResetWorktree command) {
        WorktreePlace place = command.place();
        String ref = Refs.undone(place.runId(), command.keepAs());
        Checkout checkout = open(place, ref);
        String head = head(checkout, place, command.to());
        Optional<String> kept = commits.ref(checkout.folder(), ref);
        if (kept.isEmpty()) {
            kept = save(checkout.folder(), head, "What was undone, not committed", place.runId())
                    .or(() -> head.equals(command.to()) ? Optional.empty() : Optional.of(head));
            kept.ifPresent(commit -> commits.update(checkout.folder(), "create " + ref + " " + commit));
        }
        keepInSubmodules(checkout, ref, place.runId());
        Optional<String> moved = makeWay(checkout, place, kept.orElse(head), command.to());
        calls.good(GitCall.in(checkout.folder(), "reset", "--quiet", "--hard", command.to(), "--"));
        checkout.endSequences();
        setBackSubmodules(checkout);
        checkout.syncRef(place.branch());
        String tree = commits.tree(checkout.folder(), command.to());
        return new WorktreeReset(
                command.to(),
                tree,
                kept.map(commit -> ref + moved.map(path -> " and in " + path).orElse("")));
    }

    /** Moves an agent's repositories aside that git would replace by files, and returns where they are. */
    @CanIgnoreReturnValue
    Optional<String> makeWay(Checkout checkout, WorktreePlace place, String from, String to) {
        Path lost = folders.lost(place);
        if (!onlyCopies.moveAside(checkout, from, to, lost)) {
            return Optional.empty();
        }
        LOG.warn("repositories in the way of {} in {} are kept in {}", to, checkout.folder(), lost);
        return Optional.of(lost.toString());
    }

    /** Keeps uncommitted changes in submodules reachable in their own repositories before a reset. */
    private void keepInSubmodules(Checkout checkout, String ref, String runId) {
        if (!checkout.hasSubmodules()) {
            return;
        }
        GitCall each = GitCall.in(checkout.folder(), "submodule", "--quiet", "foreach", "--recursive", "pwd");
        for (String line : calls.good(each).text().lines().toList()) {
            Path folder = Path.of(line);
            commits.resolve(folder, "HEAD")
                    .flatMap(head -> save(folder, head, "What was undone, not committed", runId))
                    .ifPresent(saved -> commits.update(folder, "update " + ref + " " + saved));
        }
    }

    /** Resets the submodules that an agent fetched; otherwise the next commit would contain their undone commits. */
    private void setBackSubmodules(Checkout checkout) {
        if (!checkout.hasSubmodules()) {
            return;
        }
        GitAnswer answer = calls.ask(GitCall.in(
                checkout.folder(),
                "submodule",
                "--quiet",
                "update",
                "--recursive",
                "--checkout",
                "--force",
                "--no-fetch"));
        if (!answer.isGood()) {
            LOG.warn("submodules of {} stay as they are: {}", checkout.folder(), answer.complaint());
        }
    }

    /**
     * Creates a commit without a ref, on top of the head, with all uncommitted changes. Empty where there are none.
     */
    Optional<String> save(Path folder, String head, String subject, String runId) {
        add(folder);
        String tree = calls.good(GitCall.in(folder, "write-tree")).text();
        if (tree.equals(commits.tree(folder, head))) {
            return Optional.empty();
        }
        String message = Commits.message(subject, List.of(Commits.trailer("Run", runId)));
        return Optional.of(commits.make(folder, tree, message, head));
    }

    /**
     * Opens a worktree after removing the hooks and locks that a killed git left, and settings with which git fails there.
     *
     * @param refs refs that the command may write beside the branch
     */
    Checkout open(WorktreePlace place, String... refs) {
        Checkout checkout = Checkout.at(folders.of(place));
        var unused = settings.setBackOwn(checkout);
        running.endLeft(checkout);
        locks.remove(checkout, place.branch(), refs);
        return checkout;
    }

    /**
     * Returns the commit of the branch. If the agent is on another branch, or on none, HEAD is set back to ours,
     * together with commits there that descend from ours; the files stay unchanged.
     *
     * @param otherwise commit for the branch if the agent removed it
     */
    String head(Checkout checkout, WorktreePlace place, String otherwise) {
        Optional<String> known = checkout.headAt(place.branch());
        return known.isPresent() ? known.get() : attach(checkout, place, otherwise);
    }

    private String attach(Checkout checkout, WorktreePlace place, String otherwise) {
        String ours = Refs.branch(place.branch());
        Optional<String> on = calls.line(GitCall.in(checkout.folder(), "symbolic-ref", "--quiet", "HEAD"));
        Optional<String> head = commits.resolve(checkout.folder(), "HEAD");
        if (on.filter(ours::equals).isPresent() && head.isPresent()) {
            return head.get();
        }
        Optional<String> tip = commits.ref(checkout.folder(), ours);
        String from = tip.orElse(otherwise);
        String target = head.filter(commit -> commits.isAncestor(checkout.folder(), from, commit))
                .orElse(from);
        if (!target.equals(tip.orElse(""))) {
            commits.update(
                    checkout.folder(),
                    "update " + ours + " " + target + tip.map(old -> " " + old).orElse(""));
        }
        calls.good(GitCall.in(checkout.folder(), "symbolic-ref", "HEAD", ours));
        return target;
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
                    "a merge is under way in " + checkout.folder() + " and these files conflict: "
                            + String.join(", ", files),
                    List.copyOf(files));
        }
    }

    private static GitCall adding(Path folder, String... options) {
        List<String> words = new ArrayList<>(List.of("add", "--all", "--sparse"));
        words.addAll(List.of(options));
        words.addAll(List.of("--", ".", WITHOUT_OURS));
        return GitCall.in(folder, words.toArray(String[]::new));
    }

    /**
     * Adds all changes to the index. Returns the repositories without a commit, which git cannot record; everything else
     * is still added.
     */
    @CanIgnoreReturnValue
    private List<String> add(Path folder) {
        GitCall call = adding(folder);
        GitAnswer answer = calls.ask(call);
        boolean incomplete =
                REPOSITORY_WITHOUT_COMMIT.matcher(answer.complaint()).find();
        if (incomplete) {
            call = adding(folder, "--ignore-errors");
            answer = calls.ask(call);
        }
        if (answer.exit() > (incomplete ? 1 : 0)) {
            throw GitCalls.failure(call, answer);
        }
        return REPOSITORY_WITHOUT_COMMIT
                .matcher(answer.complaint())
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    private boolean isChanged(Checkout checkout) {
        return !calls.isYes(GitCall.in(
                checkout.folder(), "diff-index", "--cached", "--quiet", "--ignore-submodules=dirty", "HEAD", "--"));
    }
}
