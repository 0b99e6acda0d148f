package dev.loopkeeper.worktree;

import dev.loopkeeper.git.GitAnswer;
import dev.loopkeeper.git.GitCall;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Maintains the list of worktrees that a repository keeps. Blocking. */
record Registrations(GitCalls calls, Folders folders, StaleLocks locks) {
    private static final Logger LOG = LoggerFactory.getLogger(Registrations.class);
    /** Lock reason that git uses during the registration. */
    private static final String BEGUN = "initializing";
    /** Files of a registration. If one is missing, git cannot list any worktree, or does not know this one. */
    private static final List<String> NEEDED = List.of("gitdir", "commondir", "HEAD");

    /**
     * One entry of the list.
     *
     * @param folder of the worktree; empty where the path is invalid on this machine, so it is not ours
     * @param head its current commit, or empty
     * @param branch its full name, or empty
     */
    record Registered(Optional<Path> folder, String head, String branch) {}

    List<Registered> list(Path repository) {
        List<Registered> all = new ArrayList<>();
        String folder = "";
        String head = "";
        String branch = "";
        for (byte[] field : calls.good(GitCall.in(repository, "worktree", "list", "--porcelain", "-z"))
                .fields()) {
            String line = new String(field, StandardCharsets.UTF_8);
            if (line.startsWith("worktree ")) {
                folder = line.substring("worktree ".length());
                head = "";
                branch = "";
            } else if (line.startsWith("HEAD ")) {
                head = line.substring("HEAD ".length());
            } else if (line.startsWith("branch ")) {
                branch = line.substring("branch ".length());
            } else if (line.isEmpty()) {
                all.add(new Registered(path(folder), head, branch));
            }
        }
        return all;
    }

    private static Optional<Path> path(String text) {
        try {
            return Optional.of(Path.of(text));
        } catch (InvalidPathException unspeakable) {
            return Optional.empty();
        }
    }

    void remove(Path repository, Path common, Path folder) {
        GitCall call = GitCall.in(repository, "worktree", "remove", "--force", "--force", folder.toString());
        removeHalves(repository, common, folder);
        GitAnswer answer = calls.ask(call);
        removeHalves(repository, common, folder);
        if (!answer.isGood()
                && list(repository).stream().anyMatch(other -> other.folder().equals(Optional.of(folder)))) {
            throw GitCalls.failure(call, answer);
        }
    }

    /**
     * Removes incomplete registrations that a killed git left for a worktree of ours. They can prevent git from listing
     * any worktree, including the user's, or stay for ever.
     *
     * @param folder our folder, whose name git uses for its registrations
     */
    void removeHalves(Path repository, Path common, Path folder) {
        Pattern name = Pattern.compile(Pattern.quote(folder.getFileName().toString()) + "\\d*");
        List<Path> seen = halves(common, name);
        if (seen.isEmpty()) {
            return;
        }
        locks.awaitNoGit(List.of(folder, repository, common));
        // An entry that another git was creating or removing in between may be complete now.
        List<Path> left = halves(common, name);
        for (Path half : seen.stream().filter(left::contains).toList()) {
            LOG.info("removed {}, which a git process left incomplete", half);
            Folders.delete(half);
        }
    }

    private List<Path> halves(Path common, Pattern name) {
        return Folders.list(common.resolve("worktrees")).stream()
                .filter(each -> !NEEDED.stream().allMatch(file -> Checkout.isSomething(each.resolve(file))))
                .filter(each -> isOurs(each, name))
                .toList();
    }

    private boolean isOurs(Path registration, Pattern name) {
        Optional<String> folder = Checkout.read(registration.resolve("gitdir")).filter(text -> !text.isBlank());
        if (folder.isPresent()) {
            // The path is relative to the registration if worktree.useRelativePaths is set.
            return path(folder.get())
                    .map(pointer -> registration.resolve(pointer).normalize())
                    .filter(folders::isOfRuns)
                    .isPresent();
        }
        Path locked = registration.resolve("locked");
        return name.matcher(registration.getFileName().toString()).matches()
                && (!Checkout.isSomething(locked)
                        || Checkout.read(locked).filter(BEGUN::equals).isPresent());
    }
}
