package dev.loopkeeper.workspace;

import dev.loopkeeper.data.DataFolder;
import dev.loopkeeper.data.FileId;
import dev.loopkeeper.data.LockedFiles;
import dev.loopkeeper.git.GitProgram;
import dev.loopkeeper.step.ProtectedFiles;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
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
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Finds what distinguishes one state of a workspace from another. In a git repository, also one that lies deeper, that is its
 * commit and what differs from it; elsewhere all files but those in {@code node_modules}. Never what Loopkeeper itself
 * writes: the data folder and the folders {@code .loopkeeper}. Links are not followed. Opens no file. Blocking.
 */
final class WorkspaceFiles {
    /** Git lists the paths of a larger sparse checkout each time. */
    private static final int MOST_UNSEEN = 1000;

    private static final String OWN_FOLDER = ".loopkeeper";
    private static final String REPOSITORY = ".git";
    private static final String PACKAGES = "node_modules";
    /** The files of a data folder, which are ignored if the workspace is a data folder. */
    private static final Set<String> OF_DATA_FOLDER =
            Set.of("owner.lock", "runs", DataFolder.NATIVE, "launcher", "server.json", "unfinished.json");

    private static final List<String> DRAFTS_OF_DATA_FOLDER =
            List.of("events.db", ".writable", ".ready", ".unfinished.json", ".server.json");

    /**
     * Something that counts.
     *
     * @param facts absent where only the name counts, or the facts are unknown
     */
    record Found(Path path, Optional<FileFacts> facts) {}

    private record Folder(String name, Path path) {
        String nameOf(String entry) {
            return name.isEmpty() ? entry : name + "/" + entry;
        }
    }

    private final Path root;
    private final Path data;
    private final GitProgram git;
    private final Map<FileFacts, List<byte[]>> unseen;
    private final Set<FileId> ours = new HashSet<>(LockedFiles.ids());
    private final boolean rootIsData;
    private final Optional<ProtectedFiles> only;
    private final Map<String, IgnoreRules> rules = new HashMap<>();
    private boolean collects = true;
    private final Map<String, Found> found = new TreeMap<>();
    private final Deque<Folder> folders = new ArrayDeque<>();
    private final Map<Path, Boolean> real = new HashMap<>();

    /**
     * @param root with links resolved
     * @param unseen the files at which git does not look, by the facts of the index
     * @param only finds these in place of what distinguishes states: by escaped names, without what git ignores
     */
    WorkspaceFiles(
            Path root, Path data, GitProgram git, Map<FileFacts, List<byte[]>> unseen, Optional<ProtectedFiles> only)
            throws IOException {
        this.root = root;
        this.data = Files.exists(data) ? data.toRealPath() : data.toAbsolutePath();
        this.git = git;
        this.unseen = unseen;
        this.rootIsData = this.data.equals(root);
        this.only = only;
        FileId.of(data).ifPresent(ours::add);
    }

    /** By relative name, in order. Fails if a part of it cannot be read at the moment. */
    Map<String, Found> find() throws IOException {
        Folder all = new Folder("", root);
        boolean listed = rules.containsKey(all.name()) && listed(all);
        Optional<Path> above = listed ? Optional.empty() : repositoryAbove();
        if (!listed && (above.isEmpty() || !ofRepository(above.get(), all))) {
            folders.add(all);
        }
        while (!folders.isEmpty()) {
            lookInto(folders.remove());
        }
        return found;
    }

    /** Finds these names, if they exist, and what these rules of repositories do not ignore, whatever git ignores now. */
    Map<String, Found> find(Set<String> known, Map<String, IgnoreRules> earlier) throws IOException {
        collects = false;
        rules.putAll(earlier);
        for (String name : known) {
            addReal(name, at(root.toUri().getRawPath(), name));
        }
        return find();
    }

    /** By name of a repository in the workspace. */
    Map<String, IgnoreRules> rules() {
        return rules;
    }

    /** The nearest repository of which the workspace is only a part; absent where it ignores that. */
    private Optional<Path> repositoryAbove() {
        for (Path at = root; at != null; at = at.getParent()) {
            if (Files.exists(at.resolve(REPOSITORY), LinkOption.NOFOLLOW_LINKS)) {
                return Optional.of(at)
                        .filter(found -> !found.equals(root)
                                && !RepositoryState.ignores(
                                        git, found, found.relativize(root).toString()));
            }
        }
        return Optional.empty();
    }

    private void lookInto(Folder folder) throws IOException {
        List<Path> entries = entries(folder);
        List<String> names = entries.stream()
                .map(entry -> only.isPresent() ? escaped(entry) : spelled(entry))
                .toList();
        if (rules.containsKey(folder.name())
                ? listed(folder)
                : names.contains(REPOSITORY) && ofRepository(folder.path(), folder)) {
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
        return ("/" + name + "/").contains("/" + OWN_FOLDER + "/");
    }

    private boolean isOurs(Path path, FileFacts facts) {
        if (rootIsData) {
            return ours.contains(facts.id())
                    || isOfDataFolder(root.relativize(path).getName(0).toString());
        }
        // A worktree lies in the data folder.
        return ours.contains(facts.id()) || (path.startsWith(data) && !root.startsWith(data));
    }

    private static boolean isOfDataFolder(String name) {
        return OF_DATA_FOLDER.contains(name) || DRAFTS_OF_DATA_FOLDER.stream().anyMatch(name::startsWith);
    }

    /** Names that look the same in this locale stay different. */
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
            found(folder.name(), folder.path(), Optional.of(FileFacts.of(folder.path())));
        } catch (NoSuchFileException | NotDirectoryException gone) {
            if (folder.name().isEmpty()) {
                throw gone;
            }
        }
        return entries;
    }

    /** False where git does not answer: then all files count. */
    private boolean ofRepository(Path repository, Folder folder) throws IOException {
        if (only.isPresent()) {
            return listed(folder);
        }
        String part = repository.equals(folder.path())
                ? "."
                : repository.relativize(folder.path()).toString();
        Optional<RepositoryState> said = RepositoryState.of(git, repository, part);
        Optional<List<byte[]>> unlooked = said.isEmpty() ? Optional.empty() : unseen(repository);
        if (unlooked.isEmpty()) {
            return false;
        }
        RepositoryState state = said.get();
        String base = repository.toUri().getRawPath();
        note(folder.nameOf(REPOSITORY + "?" + state.commit()));
        state.gone().forEach(name -> note(folder.nameOf(escaped(name) + "?gone")));
        for (byte[] name : state.changed()) {
            add(folder, base, name);
        }
        for (byte[] name : unlooked.get()) {
            Path path = at(base, escaped(name));
            if (path.startsWith(folder.path())) {
                addReal(folder.nameOf(escaped(name)), path);
            }
        }
        if (!state.complaint().isEmpty()) {
            // A file that git could not read is not absent.
            note(folder.nameOf(REPOSITORY + "?" + state.complaint()));
        }
        return true;
    }

    private boolean listed(Folder folder) throws IOException {
        if (collects) {
            IgnoreRules.of(git, folder.path()).ifPresent(known -> rules.put(folder.name(), known));
        }
        Optional<IgnoreRules> known = Optional.ofNullable(rules.get(folder.name()));
        if (known.isPresent()) {
            addAll(folder, known.get().files(git, folder.path()));
            addAll(folder, RepositoryState.names(git, folder.path(), "--cached"));
        }
        return known.isPresent();
    }

    private void addAll(Folder folder, List<byte[]> names) throws IOException {
        for (byte[] name : names) {
            String entry = escaped(name).replaceFirst("/$", "");
            addReal(folder.nameOf(entry), at(folder.path().toUri().getRawPath(), entry));
        }
    }

    private Optional<List<byte[]>> unseen(Path repository) throws IOException {
        Path index = RepositoryState.indexOf(repository);
        Optional<FileFacts> facts = Files.exists(index) ? Optional.of(FileFacts.of(index)) : Optional.empty();
        Optional<List<byte[]>> known = facts.map(unseen::get);
        if (known.isPresent()) {
            return known;
        }
        Optional<List<byte[]>> names = RepositoryState.unseen(git, repository);
        names.filter(few -> few.size() <= MOST_UNSEEN).ifPresent(few -> facts.ifPresent(same -> unseen.put(same, few)));
        return names;
    }

    private void note(String text) {
        found.put(text, new Found(root, Optional.empty()));
    }

    private void add(Folder folder, String base, byte[] name) throws IOException {
        String escaped = escaped(name);
        String entry = escaped.endsWith("/") ? escaped.substring(0, escaped.length() - 1) : escaped;
        add(folder.nameOf(entry), at(base, entry));
    }

    /** Adds a file unless its folder is behind a link, where files of others are. */
    private void addReal(String name, Path path) throws IOException {
        if (real.computeIfAbsent(path.getParent(), WorkspaceFiles::isReal)) {
            add(name, path);
        }
    }

    private static boolean isReal(Path folder) {
        try {
            return folder.toRealPath().equals(folder);
        } catch (IOException gone) {
            return false;
        }
    }

    private static String escaped(Path entry) {
        String path = entry.toUri().getRawPath().replaceFirst("/$", "");
        return escaped(bytes(path.substring(path.lastIndexOf('/') + 1)));
    }

    /** The bytes of an escaped name. */
    static byte[] bytes(String escaped) {
        return URLDecoder.decode(escaped.replace("+", "%2B"), StandardCharsets.ISO_8859_1)
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    private void found(String name, Path path, Optional<FileFacts> facts) {
        if (only.isEmpty() || only.get().cover(new String(bytes(name), StandardCharsets.UTF_8))) {
            found.put(name, new Found(path, facts));
        }
    }

    /** Escapes a name as in a URI, so that any bytes name their file in every locale. */
    static String escaped(byte[] name) {
        StringBuilder escaped = new StringBuilder(name.length);
        for (byte each : name) {
            if (Character.isLetterOrDigit(each) || each == '/' || each == '.' || each == '-' || each == '_') {
                escaped.append((char) each);
            } else {
                escaped.append('%').append(HexFormat.of().toHexDigits(each));
            }
        }
        return escaped.toString();
    }

    static Path at(Path folder, byte[] name) {
        return at(folder.toUri().getRawPath(), escaped(name));
    }

    static Path at(String base, String escaped) {
        return Path.of(URI.create("file://" + base + escaped));
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
                found(name, path, Optional.of(facts));
            }
        } catch (NoSuchFileException gone) {
            // Agents remove files while we look, and git names those that it tracks and that are gone.
            return;
        } catch (AccessDeniedException sealed) {
            found(name, path, Optional.empty());
        }
    }
}
