package dev.loopkeeper.process;

import dev.loopkeeper.step.PathGlob;
import dev.loopkeeper.step.SandboxPlan;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The mounts that take away in writable folders what Landlock cannot: options of bubblewrap. Blocking. */
final class Mounts {
    private static final int MOST_VISITED = 200_000;
    private static final String BIND = "--bind";
    private static final String READ_ONLY = "--ro-bind";

    private final SandboxPlan plan;
    /** By path, so that a folder comes before what is in it. */
    private final Map<String, List<String>> mounts = new TreeMap<>();

    private final List<String> hidden;

    private Mounts(SandboxPlan plan) {
        this.plan = plan;
        this.hidden = plan.hide().stream()
                .filter(path -> exists(path) && SandboxPlan.isBelowOne(path, plan.write()))
                .toList();
    }

    /** @param readable files that can be read even where their folder is hidden */
    static List<String> of(SandboxPlan plan, List<String> readable) {
        Mounts all = new Mounts(plan);
        plan.write().forEach(all::write);
        plan.guard().forEach(path -> all.mounts.put(path, List.of(READ_ONLY, path, path)));
        List<String> folders = all.hidden.stream()
                .filter(path -> Files.isDirectory(Path.of(path)))
                .toList();
        all.hidden.forEach(path -> all.mounts.put(
                path,
                folders.contains(path)
                        ? List.of("--perms", "0111", "--tmpfs", path)
                        : List.of(READ_ONLY, "/dev/null", path)));
        readable.stream()
                .filter(file -> exists(file) && SandboxPlan.isBelowOne(file, folders))
                .forEach(file -> all.mounts.put(file, List.of(READ_ONLY, file, file)));
        plan.guard().forEach(all::pin);
        return Stream.concat(
                        all.mounts.values().stream().flatMap(List::stream),
                        folders.stream().flatMap(path -> Stream.of("--remount-ro", path)))
                .toList();
    }

    private void write(String path) {
        boolean inOther =
                plan.write().stream().anyMatch(other -> !other.equals(path) && SandboxPlan.isBelow(path, other));
        // A mount of its own would prevent renames between the two.
        if (exists(path) && (!inOther || SandboxPlan.isBelowOne(path, hidden))) {
            mounts.put(path, List.of(BIND, path, path));
        }
    }

    /** A folder with a protected one could be renamed, and another take its name; a mount cannot. */
    private void pin(String guarded) {
        for (Path up = Path.of(guarded).getParent();
                up.getParent() != null && SandboxPlan.isBelowOne(up.getParent().toString(), plan.write());
                up = up.getParent()) {
            mounts.putIfAbsent(up.toString(), List.of(BIND, up.toString(), up.toString()));
        }
    }

    private static boolean exists(String path) {
        return Files.exists(Path.of(path), LinkOption.NOFOLLOW_LINKS);
    }

    /** What globs stand for in a workspace, without git's folders. A folder stands for all that is in it. */
    static List<String> matching(Path workspace, List<String> globs) throws IOException {
        List<PathGlob> patterns = globs.stream().map(PathGlob::new).toList();
        List<String> found = new ArrayList<>();
        if (!patterns.isEmpty()) {
            Path unused = Files.walkFileTree(workspace, new SimpleFileVisitor<>() {
                private int visited;

                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes facts) throws IOException {
                    return folder.equals(workspace)
                            ? FileVisitResult.CONTINUE
                            : folder.endsWith(".git") ? FileVisitResult.SKIP_SUBTREE : visit(folder);
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes facts) throws IOException {
                    return visit(file);
                }

                private FileVisitResult visit(Path path) throws IOException {
                    if (++visited > MOST_VISITED) {
                        throw new IOException("protect searches " + workspace + ", which has more than " + MOST_VISITED
                                + " files; name folders for write that have fewer");
                    }
                    String relative = workspace.relativize(path).toString();
                    if (patterns.stream().noneMatch(pattern -> pattern.fits(relative))) {
                        return FileVisitResult.CONTINUE;
                    }
                    found.add(path.toString());
                    return FileVisitResult.SKIP_SUBTREE;
                }
            });
        }
        return found;
    }
}
