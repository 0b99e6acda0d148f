package dev.loopkeeper.signal;

import dev.loopkeeper.run.step.SignalClaim;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Finds out which file a path of a workspace leads to: through symbolic links, also dangling ones, {@code ..}, mounts
 * of one folder in two places, hard links, and names that differ by case if the file system ignores case. A path that cannot be read is identified by its text. Blocks; used for one question.
 */
final class SignalIdentities {
    private static final int MOST_LINKS = 40;

    private final Path workspace;
    private final Map<Path, Set<String>> folders = new HashMap<>();

    /** @param workspace absolute */
    SignalIdentities(Path workspace) {
        this.workspace = workspace;
    }

    SignalClaim of(String file) {
        Path path = workspace.resolve(file).normalize();
        Set<String> identities = new LinkedHashSet<>();
        Path next = path;
        for (int link = 0; link <= MOST_LINKS; link++) {
            identities.addAll(places(next));
            if (!Files.isSymbolicLink(next)) {
                break;
            }
            next = target(next);
        }
        hardLinked(path, identities);
        return new SignalClaim(path.toString(), identities);
    }

    private static Path target(Path link) {
        try {
            // Not normalised: a ".." goes up from where the folder before it really is.
            return link.resolveSibling(Files.readSymbolicLink(link));
        } catch (IOException goneMeanwhile) {
            return link;
        }
    }

    /** Returns all paths of a file: its name below each path of its folder. */
    private Set<String> places(Path path) {
        Path name = path.getFileName();
        if (name == null || path.getParent() == null) {
            return Set.of(path.toString());
        }
        Set<String> places = new LinkedHashSet<>();
        folders.computeIfAbsent(path.getParent(), SignalIdentities::folder)
                .forEach(folder -> places.add(folder + "/" + cased(path.getParent(), name.toString())));
        return places;
    }

    /** A folder that does not exist yet is known by the one above it that does. */
    private static Set<String> folder(Path folder) {
        Path there = folder;
        while (there.getParent() != null && !Files.exists(there)) {
            there = there.getParent();
        }
        String rest = there.equals(folder)
                ? ""
                : "/" + cased(there, there.relativize(folder).toString());
        Set<String> names = new LinkedHashSet<>();
        try {
            Path real = there.toRealPath();
            names.add(real + rest);
            Object key = Files.readAttributes(real, BasicFileAttributes.class).fileKey();
            if (key != null) {
                names.add("folder " + key + rest);
            }
        } catch (IOException unreadable) {
            names.add(folder.toString());
        }
        return names;
    }

    private static String cased(Path folder, String name) {
        return ignoresCase(folder) ? name.toLowerCase(Locale.ROOT) : name;
    }

    private static boolean ignoresCase(Path folder) {
        Path name = folder.getFileName();
        if (name == null) {
            return false;
        }
        String upper = name.toString().toUpperCase(Locale.ROOT);
        String other = upper.equals(name.toString()) ? upper.toLowerCase(Locale.ROOT) : upper;
        try {
            return !other.equals(name.toString()) && Files.isSameFile(folder, folder.resolveSibling(other));
        } catch (IOException noSuchFolder) {
            return false;
        }
    }

    /** Adds the inode of a file with several names only; the inode of any other may be given to a new file at any time. */
    private static void hardLinked(Path path, Set<String> identities) {
        try {
            Map<String, Object> known = Files.readAttributes(path, "unix:nlink,fileKey,isRegularFile");
            boolean several = Boolean.TRUE.equals(known.get("isRegularFile")) && (int) known.get("nlink") > 1;
            if (several) {
                identities.add("file " + known.get("fileKey"));
            }
        } catch (IOException | UnsupportedOperationException notThere) {
            return;
        }
    }
}
