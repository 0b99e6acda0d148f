package dev.loopkeeper.workspace;

import dev.loopkeeper.data.DataFolder;
import dev.loopkeeper.data.FileId;
import dev.loopkeeper.data.LockedFiles;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Finds what counts in a workspace. In a git repository, also one that lies deeper, that is what git tracks or would
 * add; elsewhere everything but {@code node_modules}. Never what Loopkeeper itself writes: the data folder, by whatever
 * name it is found, and the folders {@code .loopkeeper}. Links are not followed. Opens no file. Blocking.
 */
final class WorkspaceFiles {
    private static final String OWN_FOLDER = ".loopkeeper";
    private static final String REPOSITORY = ".git";
    private static final String PACKAGES = "node_modules";

    /** What lies in a data folder, for one that is the workspace itself. */
    private static final Set<String> OF_DATA_FOLDER = Set.of(
            "owner.lock", "runs", DataFolder.NATIVE, "launcher", "server.json", "outbox.json", "unfinished.json");

    private static final List<String> DRAFTS_OF_DATA_FOLDER =
            List.of("events.db", ".writable", ".ready", ".unfinished.json", ".outbox.json", ".server.json");

    /**
     * Something that counts.
     *
     * @param facts absent where it is there and its facts are unknown
     */
    record Found(Path path, Optional<FileFacts> facts) {}

    private record Folder(String name, Path path) {
        String nameOf(String entry) {
            return name.isEmpty() ? entry : name + "/" + entry;
        }
    }

    private final Path root;
    private final GitFiles git;
    private final Set<FileId> ours = new HashSet<>(LockedFiles.ids());
    private final boolean rootIsData;
    private final Map<String, Found> found = new TreeMap<>();
    private final Deque<Folder> folders = new ArrayDeque<>();

    /** @param root with links resolved */
    WorkspaceFiles(Path root, Path data, GitFiles git) {
        this.root = root;
        this.git = git;
        Optional<FileId> own = FileId.of(data);
        this.rootIsData = own.isPresent() && own.equals(FileId.of(root));
        own.ifPresent(ours::add);
    }

    /** By relative name, in order. Fails where a part of it cannot be looked at for the moment. */
    Map<String, Found> find() throws IOException {
        Folder all = new Folder("", root);
        boolean ofItsOwn = Files.exists(root.resolve(REPOSITORY), LinkOption.NOFOLLOW_LINKS);
        if (ofItsOwn || !git.isPartOfOne(root) || !ofRepository(all)) {
            folders.add(all);
        }
        while (!folders.isEmpty()) {
            lookInto(folders.remove());
        }
        return found;
    }

    private void lookInto(Folder folder) throws IOException {
        List<Path> entries = entries(folder);
        List<String> names = entries.stream().map(WorkspaceFiles::spelled).toList();
        if (names.contains(REPOSITORY) && ofRepository(folder)) {
            return;
        }
        for (int entry = 0; entry < names.size(); entry++) {
            String name = names.get(entry);
            if (!name.equals(REPOSITORY) && !name.equals(PACKAGES)) {
                add(folder.nameOf(name), entries.get(entry));
            }
        }
    }

    private static boolean isOwn(String name) {
        return name.endsWith(OWN_FOLDER)
                && (name.length() == OWN_FOLDER.length()
                        || name.charAt(name.length() - OWN_FOLDER.length() - 1) == '/');
    }

    private boolean isOurs(Path path, FileFacts facts) {
        return ours.contains(facts.id())
                || (rootIsData
                        && root.equals(path.getParent())
                        && isOfDataFolder(path.getFileName().toString()));
    }

    private static boolean isOfDataFolder(String name) {
        return OF_DATA_FOLDER.contains(name) || DRAFTS_OF_DATA_FOLDER.stream().anyMatch(name::startsWith);
    }

    /** Two names that look alike in this locale stay two. */
    private static String spelled(Path entry) {
        String name = entry.getFileName().toString();
        return name.indexOf('\uFFFD') < 0 ? name : entry.getFileName().toUri().getRawPath();
    }

    private List<Path> entries(Folder folder) throws IOException {
        List<Path> entries = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder.path())) {
            stream.forEach(entries::add);
        } catch (DirectoryIteratorException broken) {
            throw broken.getCause();
        } catch (AccessDeniedException sealed) {
            if (folder.name().isEmpty()) {
                throw sealed;
            }
            found.put(folder.name(), new Found(folder.path(), Optional.of(FileFacts.of(folder.path()))));
        } catch (NoSuchFileException | NotDirectoryException gone) {
            if (folder.name().isEmpty()) {
                throw gone;
            }
        }
        return entries;
    }

    private boolean ofRepository(Folder folder) throws IOException {
        Optional<GitFiles.Listed> listed = git.in(folder.path());
        if (listed.isEmpty()) {
            return false;
        }
        Map<String, Boolean> parents = new HashMap<>();
        for (String name : listed.get().names()) {
            String entry = name.endsWith("/") ? name.substring(0, name.length() - 1) : name;
            if (isIn(folder, parent(entry), parents)) {
                add(folder.nameOf(entry), folder.path().resolve(entry));
            }
        }
        if (!listed.get().complaints().isEmpty()) {
            // What git could not read is not absent.
            String name = folder.nameOf(REPOSITORY + "?" + listed.get().complaints());
            found.put(name, new Found(folder.path(), Optional.empty()));
        }
        return true;
    }

    private static String parent(String name) {
        int slash = name.lastIndexOf('/');
        return slash < 0 ? "" : name.substring(0, slash);
    }

    /** Whether this is a folder that counts, and so are all above it: one that became a link is not followed. */
    private boolean isIn(Folder repository, String name, Map<String, Boolean> known) throws IOException {
        if (name.isEmpty()) {
            return true;
        }
        Boolean is = known.get(name);
        if (is == null) {
            is = isIn(repository, parent(name), known)
                    && !isOwn(name)
                    && isFolder(repository.path().resolve(name));
            known.put(name, is);
        }
        return is;
    }

    private boolean isFolder(Path path) throws IOException {
        try {
            FileFacts facts = FileFacts.of(path);
            return facts.isFolder() && !isOurs(path, facts);
        } catch (NoSuchFileException gone) {
            return false;
        } catch (AccessDeniedException sealed) {
            return true;
        }
    }

    private void add(String name, Path path) throws IOException {
        if (isOwn(name)) {
            return;
        }
        try {
            FileFacts facts = FileFacts.of(path);
            if (isOurs(path, facts)) {
                return;
            }
            if (facts.isFolder()) {
                folders.add(new Folder(name, path));
            } else {
                found.put(name, new Found(path, Optional.of(facts)));
            }
        } catch (NoSuchFileException gone) {
            // Agents remove files while we look, and git names those that it tracks and that are gone.
            return;
        } catch (AccessDeniedException sealed) {
            found.put(name, new Found(path, Optional.empty()));
        }
    }
}
