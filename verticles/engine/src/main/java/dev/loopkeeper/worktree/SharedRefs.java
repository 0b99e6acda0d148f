package dev.loopkeeper.worktree;

import dev.loopkeeper.contract.WorktreeChannels.WorktreeLocation;
import dev.loopkeeper.contract.WorktreeException;
import dev.loopkeeper.data.AtomicFile;
import dev.loopkeeper.git.GitAnswer;
import dev.loopkeeper.git.GitCall;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Watches the refs that all worktrees of a repository share: branches, tags, and the stash with its reflog. What a step
 * takes away stays reachable under a ref of the run. A moved branch is left alone: a person may have moved it. Blocking.
 */
record SharedRefs(GitCalls calls, Commits commits) {
    /** Our list in the worktree's git directory, a line for each ref and each entry of the stash. */
    private static final String NOTED = "loopkeeper-refs";

    private static final String STASH = "refs/stash";
    private static final String HEADS = "refs/heads/";
    private static final int MOST_BYTES = 16 << 20;
    private static final int MOST_NAMED = 10;
    private static final int LONGEST_NAME = 100;
    private static final int SHORT = 12;
    /** Number of refs that one git creates; more could exceed its input. */
    private static final int TOGETHER = 100;
    /** The message of an entry, which names the branch that was checked out. */
    private static final Pattern STASHED = Pattern.compile("(?:WIP on|On) ([^: ]+):");

    private static final Pattern NOT_PLAIN = Pattern.compile("[^A-Za-z0-9._]+");

    /** What disappeared, the ref that keeps it, and the words around the name of this ref. */
    private record Taken(String before, String ref, String hash, String after) {}

    /** Saves the list of refs before a step. */
    void note(Checkout checkout) {
        try {
            byte[] lines = String.join("\n", lines(checkout)).getBytes(StandardCharsets.UTF_8);
            Files.createDirectories(checkout.notes());
            AtomicFile.replace(checkout.notes().resolve(NOTED), lines);
        } catch (IOException refused) {
            throw Folders.failure(checkout.notes(), "written", refused);
        }
    }

    boolean isNoted(Checkout checkout) {
        return Files.exists(checkout.notes().resolve(NOTED));
    }

    /**
     * Keeps what disappeared since {@link #note}, puts entries of the stash back, and describes each in a line. One
     * worktree at a time: what two steps miss is put back once.
     */
    synchronized List<String> compare(Checkout checkout, WorktreeLocation location) throws IOException {
        Path noted = checkout.notes().resolve(NOTED);
        Set<String> now = Set.copyOf(lines(checkout));
        List<String> taken = new ArrayList<>(Files.readAllLines(noted));
        taken.removeIf(line -> now.isEmpty() || !isTaken(checkout, line, now, location));
        // The oldest entry of the stash first, so that the newest is on top again.
        Collections.reverse(taken);
        List<Taken> found = taken.stream()
                .map(line -> restore(checkout, location.runId(), line.split(" ", 3)))
                .toList();
        Map<String, String> kept = new HashMap<>();
        for (int from = 0; from < found.size(); from += TOGETHER) {
            List<Taken> part = found.subList(from, Math.min(found.size(), from + TOGETHER));
            kept.putAll(keep(
                    checkout, part.stream().collect(Collectors.toMap(Taken::ref, Taken::hash, (one, same) -> one))));
        }
        List<String> warnings = found.stream()
                .map(each -> each.before() + kept.get(each.ref()) + each.after())
                .collect(Collectors.toCollection(ArrayList::new));
        if (warnings.size() > MOST_NAMED) {
            int more = warnings.size() - MOST_NAMED;
            warnings.subList(MOST_NAMED, warnings.size()).clear();
            warnings.add(
                    more + " more were removed; git for-each-ref " + Refs.of(location.runId()) + "/undone names them");
        }
        Files.delete(noted);
        return warnings;
    }

    private boolean isTaken(Checkout checkout, String line, Set<String> now, WorktreeLocation location) {
        if (now.contains(line)) {
            return false;
        }
        String[] parts = line.split(" ", 3);
        if (parts[1].startsWith(HEADS)) {
            return !parts[1].equals(Refs.branch(location.branch()))
                    && !Refs.isOfItem(parts[1])
                    && now.stream().noneMatch(each -> each.endsWith(" " + parts[1]));
        }
        return parts.length < 3 || !isOfARun(checkout, parts[2]);
    }

    /** An agent may stash its changes in one step and take them back in another, while other runs work as well. */
    private boolean isOfARun(Checkout checkout, String entry) {
        Matcher branch = STASHED.matcher(entry);
        if (!branch.lookingAt()) {
            return false;
        }
        List<String> words = new ArrayList<>(List.of("for-each-ref", "--count=1"));
        words.addAll(Refs.marks(branch.group(1)));
        GitCall marks = GitCall.in(checkout.folder(), words.toArray(String[]::new));
        return !calls.good(marks).text().isEmpty();
    }

    /** Puts an entry of the stash back; a branch or a tag is only kept. */
    private Taken restore(Checkout checkout, String runId, String[] taken) {
        if (!taken[1].equals(STASH)) {
            String name = taken[1].split("/", 3)[2];
            String what = taken[1].startsWith(HEADS)
                    ? "the branch " + name + " was removed"
                    : "the tag " + name + " was changed";
            return new Taken(what + " while a step ran; ", ref(runId, "left-" + name, taken[0]), taken[0], "");
        }
        String message = taken.length > 2 ? taken[2] : taken[0];
        boolean stored = calls.ask(GitCall.in(checkout.folder(), "stash", "store", "--quiet", "-m", message, taken[0]))
                .isGood();
        return new Taken(
                "the stash entry \"" + message + "\" was removed while a step ran; "
                        + (stored ? "it was put back, and " : "put it back with git stash store and the next ref; "),
                ref(runId, stored ? "stash" : "left-stash", taken[0]),
                taken[0],
                "; its changes may be in the run's branch as well");
    }

    private static String ref(String runId, String name, String hash) {
        String plain = NOT_PLAIN.matcher(name).replaceAll("-");
        return Refs.undone(
                runId, plain.substring(0, Math.min(LONGEST_NAME, plain.length())) + "-" + hash.substring(0, SHORT));
    }

    /** Keeps an object under a ref of the run and says so. What {@code left-} begins is not removed without a word. */
    String keep(Checkout checkout, String runId, String name, String hash) {
        String ref = ref(runId, name, hash);
        return keep(checkout, Map.of(ref, hash)).get(ref);
    }

    /**
     * Keeps these objects, each by its ref, and returns for each ref how that ended. One git creates all refs or none; if
     * it refuses, each is tried alone.
     */
    private Map<String, String> keep(Checkout checkout, Map<String, String> hashes) {
        Map<String, String> said = new HashMap<>();
        try {
            commits.update(
                    checkout.folder(),
                    hashes.entrySet().stream()
                            .map(each -> "update " + each.getKey() + " " + each.getValue())
                            .toArray(String[]::new));
            hashes.keySet().forEach(ref -> said.put(ref, "it is kept as " + ref));
        } catch (WorktreeException refused) {
            hashes.forEach((ref, hash) -> said.putAll(
                    hashes.size() == 1
                            ? Map.of(ref, "it could not be kept: " + refused.getMessage())
                            : keep(checkout, Map.of(ref, hash))));
        }
        return said;
    }

    /** Returns the refs, each as its hash and name, an entry of the stash also with its message; empty when too many. */
    private List<String> lines(Checkout checkout) {
        GitAnswer refs = calls.good(GitCall.in(
                        checkout.folder(),
                        "for-each-ref",
                        "--format=%(objectname) %(refname)",
                        HEADS,
                        "refs/tags/",
                        STASH)
                .saying(MOST_BYTES));
        List<String> lines =
                new ArrayList<>(refs.cut() ? List.of() : refs.text().lines().toList());
        if (lines.removeIf(line -> line.endsWith(" " + STASH))) {
            GitCall entries = GitCall.in(
                    checkout.folder(),
                    "log",
                    "--walk-reflogs",
                    "--no-show-signature",
                    "--format=%H " + STASH + " %gs",
                    STASH,
                    "--");
            calls.good(entries.saying(MOST_BYTES))
                    .text()
                    .lines()
                    .map(String::strip)
                    .forEach(lines::add);
        }
        return lines;
    }
}
