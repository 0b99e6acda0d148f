package dev.loopkeeper.worktree;

import dev.loopkeeper.contract.WorktreeException;
import dev.loopkeeper.contract.WorktreeException.Problem;
import dev.loopkeeper.git.GitCall;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the settings of the repository, which all its worktrees and the user's checkout share: {@code git config} in
 * a worktree changes them. Blocking.
 */
final class SharedSettings {
    private static final Logger LOG = LoggerFactory.getLogger(SharedSettings.class);
    private static final String FILE = "config";
    /** Our copy in the worktree's git directory; git removes it together with that. */
    private static final String COPY = "loopkeeper-config";

    private static final int MOST_NAMES = 10;
    /** Settings that git writes itself for {@code git push -u} and {@code git submodule}. */
    private static final Pattern OF_GIT = Pattern.compile("branch\\..*\\.(remote|merge)|submodule\\..*\\.(active|url)");

    private final GitCalls calls;

    SharedSettings(GitCalls calls) {
        this.calls = calls;
    }

    /** Saves the settings before a step. */
    void note(Checkout checkout) {
        if (!isAsNoted(checkout)) {
            var unused = setBack(checkout);
            copy(checkout);
        }
    }

    private static boolean isAsNoted(Checkout checkout) {
        try {
            return Files.mismatch(
                            checkout.gitDir().resolve(COPY),
                            checkout.commonDir().resolve(FILE))
                    < 0;
        } catch (IOException absent) {
            return false;
        }
    }

    private static void copy(Checkout checkout) {
        try {
            Files.copy(
                    checkout.commonDir().resolve(FILE),
                    checkout.gitDir().resolve(COPY),
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException refused) {
            throw new WorktreeException(Problem.DISK, checkout.gitDir() + " cannot be written: " + refused);
        }
    }

    /** Describes the changes since {@link #note}, one line each, without values, which may be secret. */
    List<String> changes(Checkout checkout) {
        if (isAsNoted(checkout)) {
            return List.of();
        }
        Path before = checkout.gitDir().resolve(COPY);
        Path now = checkout.commonDir().resolve(FILE);
        List<String> warnings = new ArrayList<>(setBack(checkout));
        TreeSet<String> names = new TreeSet<>(settings(now));
        TreeSet<String> old = new TreeSet<>(settings(before));
        TreeSet<String> same = new TreeSet<>(names);
        same.retainAll(old);
        names.addAll(old);
        names.removeAll(same);
        List<String> changed = names.stream()
                .map(setting -> setting.split("\n", 2)[0])
                .distinct()
                .filter(name -> !OF_GIT.matcher(name).matches())
                .toList();
        if (!changed.isEmpty()) {
            int more = changed.size() - MOST_NAMES;
            warnings.add("settings that all checkouts of the repository share were changed: "
                    + String.join(", ", changed.subList(0, Math.min(MOST_NAMES, changed.size())))
                    + (more > 0 ? " and " + more + " more" : "") + "; check " + now
                    + " and revert unwanted changes");
        }
        copy(checkout);
        return warnings;
    }

    /**
     * Resets {@code core.bare} and {@code core.worktree}. A run requires a repository with a checkout and without
     * {@code core.worktree}; either setting would break git in that checkout.
     */
    private List<String> setBack(Checkout checkout) {
        Path common = checkout.commonDir();
        if (!common.endsWith(".git")) {
            // A bare repository; the user works in one of its worktrees.
            return List.of();
        }
        return setBack(common.resolve(FILE));
    }

    /**
     * Resets the same settings in the file that {@code git config --worktree} writes: git refuses to work in the worktree with
     * them.
     */
    List<String> setBackOwn(Checkout checkout) {
        Path file = checkout.gitDir().resolve("config.worktree");
        return Files.exists(file) ? setBack(file) : List.of();
    }

    private List<String> setBack(Path file) {
        List<String> warnings = new ArrayList<>();
        if (value(file, "--type=bool", "core.bare").filter("true"::equals).isPresent()) {
            set(file, "core.bare", "false");
            warnings.add("core.bare was set to true in " + file
                    + "; reset to false, because git no longer worked in the checkout");
        }
        if (value(file, "--get", "core.worktree").isPresent()) {
            set(file, "--unset-all", "core.worktree");
            warnings.add("core.worktree was set in " + file
                    + "; removed again, because git no longer worked in the checkout");
        }
        warnings.forEach(LOG::warn);
        return warnings;
    }

    private Optional<String> value(Path file, String how, String name) {
        return calls.line(GitCall.in(file.getParent(), "config", "--file", file.toString(), how, name));
    }

    private void set(Path file, String... words) {
        List<String> all = new ArrayList<>(List.of("config", "--file", file.toString()));
        all.addAll(List.of(words));
        calls.good(GitCall.in(file.getParent(), all.toArray(String[]::new)));
    }

    /** Returns the settings, each as its name, a line break and its value. */
    private List<String> settings(Path file) {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return List.of();
        }
        GitCall call = GitCall.in(file.getParent(), "config", "--file", file.toString(), "--list", "-z");
        return calls.good(call).fields().stream()
                .map(field -> new String(field, StandardCharsets.UTF_8))
                .toList();
    }
}
