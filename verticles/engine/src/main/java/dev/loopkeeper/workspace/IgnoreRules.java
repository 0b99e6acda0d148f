package dev.loopkeeper.workspace;

import dev.loopkeeper.data.FolderRemoval;
import dev.loopkeeper.data.LockedFiles;
import dev.loopkeeper.git.GitCall;
import dev.loopkeeper.git.GitProgram;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The rules by which git ignored files when they were collected: what a step does to the files of rules, to settings or to
 * the repository afterwards has no effect. Blocking.
 *
 * @param top folder of the work tree
 * @param patterns as in one file of rules in that folder, one character for a byte
 */
record IgnoreRules(String top, String patterns) {
    private static final int MOST_BYTES = 1 << 20;

    /** Empty where git does not answer. */
    static Optional<IgnoreRules> of(GitProgram git, Path folder) throws IOException {
        Optional<String> line = RepositoryState.line(git, folder, "rev-parse", "--show-toplevel");
        if (line.isEmpty()) {
            return Optional.empty();
        }
        Path top = Path.of(line.get());
        StringBuilder patterns = new StringBuilder();
        String settings = System.getenv().getOrDefault("XDG_CONFIG_HOME", System.getenv("HOME") + "/.config");
        String ofAll = RepositoryState.line(git, top, "config", "--type=path", "core.excludesFile")
                .orElse(settings + "/git/ignore");
        add(patterns, "", top.resolve(ofAll));
        add(
                patterns,
                "",
                top.resolve(RepositoryState.line(git, top, "rev-parse", "--git-path", "info/exclude")
                        .orElse("")));
        Map<String, Path> files = new TreeMap<>(); // a folder is before those in it
        for (byte[] name : RepositoryState.names(
                git, top, "--cached", "--others", "--exclude-standard", "--", ":(glob)**/.gitignore")) {
            String text = new String(name, StandardCharsets.ISO_8859_1);
            files.put(text.substring(0, text.lastIndexOf('/') + 1), WorkspaceFiles.at(top, name));
        }
        for (Map.Entry<String, Path> file : files.entrySet()) {
            add(patterns, file.getKey(), file.getValue());
        }
        // A folder with rules that ignore themselves is in no list above.
        for (byte[] name :
                RepositoryState.names(git, top, "--others", "--ignored", "--exclude-standard", "--directory")) {
            if (name[name.length - 1] == '/' && patterns.length() < MOST_BYTES) {
                patterns.append('/')
                        .append(literal(new String(name, StandardCharsets.ISO_8859_1)))
                        .append('\n');
            }
        }
        return Optional.of(new IgnoreRules(top.toString(), patterns.toString()));
    }

    private static void add(StringBuilder patterns, String folder, Path file) throws IOException {
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            return;
        }
        LockedFiles.refuse(file);
        try (InputStream in = Files.newInputStream(file)) {
            byte[] content = in.readNBytes(Math.max(0, MOST_BYTES - patterns.length()));
            new String(content, StandardCharsets.ISO_8859_1)
                    .lines()
                    .map(line -> folder.isEmpty() ? line : below(folder, line.stripTrailing()))
                    .forEach(line -> patterns.append(line).append('\n'));
        }
    }

    /** The pattern of a folder's file of rules, as a pattern of the top folder's. */
    private static String below(String folder, String pattern) {
        if (pattern.isEmpty() || pattern.startsWith("#")) {
            return "";
        }
        String not = pattern.startsWith("!") ? "!" : "";
        String plain = pattern.substring(not.length());
        int slash = plain.indexOf('/');
        boolean anywhere = slash < 0 || slash == plain.length() - 1;
        return not + "/" + literal(folder) + (anywhere ? "**/" : "") + plain.substring(slash == 0 ? 1 : 0);
    }

    private static String literal(String name) {
        return name.replaceAll("[\\\\*?\\[]", "\\\\$0");
    }

    /**
     * Names in a folder of the work tree that these rules do not ignore; a repository in it is one name. Git finds them in a
     * repository of its own, without the index and the settings of the real one, so it needs no sandbox.
     */
    List<byte[]> files(GitProgram git, Path folder) throws IOException {
        Path own = Files.createTempDirectory("loopkeeper");
        try {
            Files.createDirectories(own.resolve("objects"));
            Files.createDirectories(own.resolve("refs"));
            Files.writeString(own.resolve("HEAD"), "ref: refs/heads/none\n");
            Path file = Files.writeString(own.resolve("rules"), patterns, StandardCharsets.ISO_8859_1);
            GitCall call = RepositoryState.call(folder, "ls-files", "-z", "--others", "-X", file.toString())
                    .with(Map.of("GIT_DIR", own.toString(), "GIT_WORK_TREE", top));
            return RepositoryState.ask(git.confinedBy(List.of()), call)
                    .orElseThrow(() -> new IOException("git does not list the files of " + folder))
                    .fields();
        } finally {
            FolderRemoval.remove(own);
        }
    }
}
