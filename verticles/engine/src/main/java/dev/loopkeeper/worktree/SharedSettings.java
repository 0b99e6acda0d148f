package dev.loopkeeper.worktree;

import dev.loopkeeper.contract.WorktreeChannels.WorktreeLocation;
import dev.loopkeeper.contract.WorktreeException;
import dev.loopkeeper.git.GitCall;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches what all worktrees of a repository and the user's checkout share: its settings, hooks, {@code info/} and
 * {@link SharedRefs}. Blocking.
 */
final class SharedSettings {
    private static final Logger LOG = LoggerFactory.getLogger(SharedSettings.class);
    private static final String CONFIG = "config";
    private static final String NOT_COMPARED = "what the worktrees of the repository share could not be compared: ";
    private static final long MOST_BYTES = 1 << 20;
    private static final int MOST_FILES = 200;
    /** Written by {@code git gc} for servers of files. */
    private static final String OF_SERVERS = "info/refs";

    private static final int MOST_NAMES = 10;
    /** Settings that git writes itself for {@code git push -u} and {@code git submodule}. */
    private static final Pattern OF_GIT = Pattern.compile("branch\\..*\\.(remote|merge)|submodule\\..*\\.(active|url)");

    private final GitCalls calls;
    private final SharedRefs refs;
    /** By worktree, until a commit reports them. */
    private final Map<Path, List<String>> warnings = new ConcurrentHashMap<>();

    SharedSettings(GitCalls calls, Commits commits) {
        this.calls = calls;
        this.refs = new SharedRefs(calls, commits);
    }

    /** Makes git work in the checkout again, where a step that no commit followed prevented it. */
    void repair(Checkout checkout) {
        if (isChanged(checkout, CONFIG)) {
            var unused = setBack(checkout);
        }
    }

    /** Saves what is shared before a step. */
    void note(Checkout checkout) {
        for (String name : files(checkout)) {
            if (isChanged(checkout, name)) {
                copy(checkout.commonDir().resolve(name), copy(checkout, name));
            }
        }
        refs.note(checkout);
    }

    private static Path copy(Checkout checkout, String name) {
        return checkout.notes().resolve(name);
    }

    private static void copy(Path from, Path to) {
        try {
            Files.createDirectories(to.getParent());
            if (isWatched(from)) {
                Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
            } else {
                Files.deleteIfExists(to);
            }
        } catch (IOException refused) {
            throw Folders.failure(to, "written", refused);
        }
    }

    /** Returns the settings file, hooks and other files that are there or were noted. */
    private static List<String> files(Checkout checkout) {
        return Stream.concat(
                        Stream.of(CONFIG),
                        Stream.of("hooks", "info")
                                .flatMap(folder -> Stream.concat(
                                        files(checkout.commonDir(), folder), files(checkout.notes(), folder))))
                .distinct()
                .limit(MOST_FILES)
                .toList();
    }

    private static Stream<String> files(Path root, String folder) {
        return Stream.ofNullable(root.resolve(folder).toFile().list())
                .flatMap(Arrays::stream)
                .map(name -> folder + "/" + name)
                .filter(name -> !name.endsWith(".sample") && !name.equals(OF_SERVERS));
    }

    private static boolean isWatched(Path file) {
        return Files.isRegularFile(file) && file.toFile().length() <= MOST_BYTES;
    }

    private static boolean isChanged(Checkout checkout, String name) {
        Path copy = copy(checkout, name);
        Path now = checkout.commonDir().resolve(name);
        try {
            return Files.exists(copy) ? Files.mismatch(copy, now) >= 0 : isWatched(now);
        } catch (IOException gone) {
            return true;
        }
    }

    /** Keeps what a step took away since {@link #note}, and remembers what changed for {@link #warnings}. Never fails. */
    void compare(Checkout checkout, WorktreeLocation location) {
        List<String> found = new ArrayList<>();
        try {
            if (isChanged(checkout, CONFIG)) {
                found.addAll(setBack(checkout));
            }
            if (refs.isNoted(checkout)) {
                files(checkout).stream()
                        .filter(name -> isChanged(checkout, name))
                        .flatMap(name -> CONFIG.equals(name)
                                ? settingsChanged(checkout)
                                : Stream.of(fileChanged(checkout, location, name)))
                        .forEach(found::add);
                found.addAll(refs.compare(checkout, location));
            }
        } catch (IOException unreadable) {
            found.add(NOT_COMPARED + Folders.reason(unreadable));
        } catch (WorktreeException refused) {
            found.add(NOT_COMPARED + refused.getMessage());
        }
        if (!found.isEmpty()) {
            warnings.computeIfAbsent(checkout.folder(), folder -> new ArrayList<>())
                    .addAll(found);
        }
    }

    /** Returns what was found since the last call, one line each, without values, which may be secret. */
    List<String> warnings(Checkout checkout) {
        return Optional.ofNullable(warnings.remove(checkout.folder())).orElse(List.of());
    }

    private String fileChanged(Checkout checkout, WorktreeLocation location, String name) {
        Path copy = copy(checkout, name);
        Path now = checkout.commonDir().resolve(name);
        String change = " was " + (!Files.exists(copy) ? "added" : Files.exists(now) ? "changed" : "removed");
        String kept = Files.exists(copy)
                ? "; "
                        + refs.keep(
                                        checkout,
                                        location.runId(),
                                        name,
                                        calls.good(GitCall.in(
                                                        checkout.folder(),
                                                        "hash-object",
                                                        "-w",
                                                        "--no-filters",
                                                        "--",
                                                        copy.toString()))
                                                .text())
                                .replace("it is kept", "the former file is kept")
                : "";
        return now + ", which all checkouts of the repository share," + change + " while a step ran" + kept
                + "; check the file";
    }

    private Stream<String> settingsChanged(Checkout checkout) {
        Path now = checkout.commonDir().resolve(CONFIG);
        TreeSet<String> names = new TreeSet<>(settings(now));
        TreeSet<String> old = new TreeSet<>(settings(copy(checkout, CONFIG)));
        TreeSet<String> same = new TreeSet<>(names);
        same.retainAll(old);
        names.addAll(old);
        names.removeAll(same);
        List<String> changed = names.stream()
                .map(setting -> setting.split("\n", 2)[0])
                .distinct()
                .filter(name -> !OF_GIT.matcher(name).matches())
                .toList();
        int more = changed.size() - MOST_NAMES;
        return changed.isEmpty()
                ? Stream.empty()
                : Stream.of("settings that all checkouts of the repository share were changed: "
                        + String.join(", ", changed.subList(0, Math.min(MOST_NAMES, changed.size())))
                        + (more > 0 ? " and " + more + " more" : "") + "; check " + now
                        + " and revert unwanted changes");
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
        return setBack(common.resolve(CONFIG));
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
