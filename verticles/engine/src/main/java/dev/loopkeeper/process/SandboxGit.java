package dev.loopkeeper.process;

import dev.loopkeeper.step.SandboxPlan;
import dev.loopkeeper.step.StepWorktree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds the git folders of a sandbox. An agent can write pointers in its workspace, so a pointer is believed only where
 * what it points to, which the agent cannot write, agrees. Blocking.
 */
final class SandboxGit {
    static final SandboxPlan.Git NONE = new SandboxPlan.Git(List.of(), List.of(), false);
    private static final String GIT = ".git";
    /** Git reads extensions from this file alone, without files that it includes. */
    private static final Pattern OWN_SETTINGS =
            Pattern.compile("(?i)\\bworktreeconfig\\b(?!\\s*=\\s*\"?(false|no|off|0)\\b)");

    private static final int MODULES_DEEP = 8;
    private static final int MOST_BYTES = 8192;

    private SandboxGit() {}

    /** @param worktree absent where the workspace is a person's */
    static SandboxPlan.Git of(Optional<StepWorktree> worktree, Path workspace) throws IOException {
        Path top = top(workspace);
        Optional<Path> common = worktree.isPresent()
                ? Optional.of(common(Path.of(worktree.get().repository()).resolve(GIT)))
                : Optional.empty();
        if (top == null) {
            return common.map(git -> new SandboxPlan.Git(shared(git), List.of(), false))
                    .orElse(NONE);
        }
        Path git = top.resolve(GIT);
        if (common.isEmpty() && !Files.isRegularFile(git, LinkOption.NOFOLLOW_LINKS)) {
            return inPlace(git);
        }
        Optional<Path> own = own(git, common);
        Optional<Path> repository =
                own.map(folder -> folder.getParent().getParent()).or(() -> common);
        return new SandboxPlan.Git(
                Stream.concat(
                                repository.stream().flatMap(folder -> shared(folder).stream()),
                                own.stream().map(Path::toString))
                        .toList(),
                Stream.concat(
                                existing(Stream.concat(
                                                Stream.of(git),
                                                own.stream()
                                                        .flatMap(folder -> Stream.of("commondir", "gitdir")
                                                                .map(folder::resolve))))
                                        .stream(),
                                own.stream().flatMap(folder -> settings(folder, repository.get())))
                        .toList(),
                common.isEmpty());
    }

    /** The nearest folder with a repository; null where there is none. */
    private static Path top(Path workspace) {
        Path top = workspace;
        while (top != null && !Files.exists(top.resolve(GIT), LinkOption.NOFOLLOW_LINKS)) {
            top = top.getParent();
        }
        return top;
    }

    /** A folder of git: what runs programs in it is guarded, also in that of submodules. */
    private static SandboxPlan.Git inPlace(Path git) throws IOException {
        if (!Files.isDirectory(git, LinkOption.NOFOLLOW_LINKS)) {
            return new SandboxPlan.Git(List.of(), List.of(git.toString()), true);
        }
        List<Path> guard = new ArrayList<>();
        Stream.of("config", "worktrees").map(git::resolve).forEach(guard::add);
        Path modules = git.resolve("modules");
        if (Files.isDirectory(modules)) {
            try (Stream<Path> found = Files.find(
                    modules, MODULES_DEEP, (path, facts) -> path.endsWith("hooks") || path.endsWith("config"))) {
                found.forEach(guard::add);
            }
        }
        List<String> all = new ArrayList<>(existing(guard.stream()));
        // Made where it lacks: the agent could make it too.
        all.add(git.resolve("hooks").toString());
        settings(git, git).forEach(all::add);
        return new SandboxPlan.Git(List.of(git.toString()), all, true);
    }

    /**
     * Moves the file away by which git would use the settings of another folder: no mount can take a name that is not
     * there, and no repository of a person has it. Returns where it was.
     */
    static Optional<Path> setAside(Path workspace, Path to) throws IOException {
        Path top = top(workspace);
        Path planted = top == null ? null : top.resolve(GIT).resolve("commondir");
        if (planted == null
                || !Files.isDirectory(planted.getParent(), LinkOption.NOFOLLOW_LINKS)
                || !Files.exists(planted, LinkOption.NOFOLLOW_LINKS)
                || Files.isDirectory(planted, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        Path unused = Files.move(planted, to.resolve("planted-commondir"), StandardCopyOption.REPLACE_EXISTING);
        return Optional.of(planted);
    }

    /** The settings of one checkout, where git uses them; made where they lack. */
    private static Stream<String> settings(Path own, Path common) {
        try {
            return OWN_SETTINGS
                            .matcher(Files.readString(common.resolve("config"), StandardCharsets.ISO_8859_1))
                            .find()
                    ? Stream.of(own.resolve(SandboxPlan.Git.OWN_SETTINGS).toString())
                    : Stream.empty();
        } catch (IOException absent) {
            return Stream.empty();
        }
    }

    /** What commits write, without hooks and settings. */
    private static List<String> shared(Path common) {
        return Stream.of("objects", "refs", "logs")
                .map(name -> common.resolve(name).toString())
                .toList();
    }

    private static List<String> existing(Stream<Path> paths) {
        return paths.filter(path -> Files.exists(path, LinkOption.NOFOLLOW_LINKS))
                .map(Path::toString)
                .toList();
    }

    /** The folder of a worktree in its repository, which names the pointer in the worktree. */
    private static Optional<Path> own(Path pointer, Optional<Path> common) {
        try {
            if (!isSmall(pointer)) {
                return Optional.empty();
            }
            Path own = Sandbox.real(pointed(pointer));
            boolean believed = own.getNameCount() > 2
                    && own.getParent().endsWith("worktrees")
                    && common.map(own.getParent().getParent()::equals).orElse(true)
                    && isSmall(own.resolve("gitdir"))
                    && Sandbox.real(own.resolve(
                                    Files.readString(own.resolve("gitdir")).strip()))
                            .equals(pointer);
            return believed ? Optional.of(own) : Optional.empty();
        } catch (IOException | InvalidPathException written) {
            return Optional.empty();
        }
    }

    private static boolean isSmall(Path file) throws IOException {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && Files.size(file) < MOST_BYTES;
    }

    private static Path common(Path git) throws IOException {
        if (Files.isDirectory(git)) {
            return Sandbox.real(git);
        }
        Path own = pointed(git);
        return Sandbox.real(
                own.resolve(Files.readString(own.resolve("commondir")).strip()));
    }

    private static Path pointed(Path file) throws IOException {
        String text = Files.readString(file).strip();
        return file.resolveSibling(text.substring(text.indexOf(':') + 1).strip());
    }
}
