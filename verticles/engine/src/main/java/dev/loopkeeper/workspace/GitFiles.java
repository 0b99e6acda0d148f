package dev.loopkeeper.workspace;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks git which files of a repository count: those it tracks, and those it would add. Whatever goes wrong, an absent
 * git or one that does not answer in time included, is an empty answer. Blocking.
 */
final class GitFiles {
    private static final Logger LOG = LoggerFactory.getLogger(GitFiles.class);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Charset OF_NAMES = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));

    /**
     * What counts.
     *
     * @param names relative, one that ends with a slash is a repository in this one
     * @param complaints of git, e.g. of folders that it could not read; mostly empty
     */
    record Listed(Set<String> names, String complaints) {}

    private final String program;
    private final Path drafts;

    /**
     * @param program {@code git}, or where it is
     * @param drafts a folder for its answers, which are removed at once
     */
    GitFiles(String program, Path drafts) {
        this.program = program;
        this.drafts = drafts;
    }

    /** Of a folder in the work tree of a repository. */
    Optional<Listed> in(Path folder) {
        // Neither a monitor nor a cache of the repository's own choice is started, and nothing in it is written.
        List<String> command = List.of(
                program,
                "-c",
                "core.fsmonitor=false",
                "-c",
                "core.untrackedCache=false",
                "ls-files",
                "-z",
                "--cached",
                "--others",
                "--exclude-standard");
        try {
            return Optional.of(ask(folder, command, 0));
        } catch (IOException without) {
            LOG.debug("{} is looked through without git: {}", folder, without.toString());
            return Optional.empty();
        }
    }

    /** Whether a repository further up has this folder in its work tree, and does not ignore it. */
    boolean isPartOfOne(Path folder) {
        for (Path above = folder.getParent(); above != null; above = above.getParent()) {
            if (Files.exists(above.resolve(".git"), LinkOption.NOFOLLOW_LINKS)) {
                return isWanted(above, folder);
            }
        }
        return false;
    }

    private boolean isWanted(Path repository, Path folder) {
        String name = repository.relativize(folder) + "/";
        try {
            // 1 says that it is not ignored.
            Listed ignored = ask(repository, List.of(program, "check-ignore", "-q", "--", name), 1);
            return ignored.names().isEmpty();
        } catch (IOException ignoredOrUnknown) {
            return false;
        }
    }

    private Listed ask(Path folder, List<String> command, int goodExit) throws IOException {
        Path answer = Files.createTempFile(drafts, ".git-files", ".new");
        Path complaints = Files.createTempFile(drafts, ".git-complaints", ".new");
        try {
            Process git = builder(folder, command)
                    .redirectOutput(answer.toFile())
                    .redirectError(complaints.toFile())
                    .start();
            await(git);
            String said = Files.readString(complaints, StandardCharsets.ISO_8859_1);
            if (git.exitValue() != goodExit) {
                throw new IOException("git ended with " + git.exitValue() + ": " + said.strip());
            }
            return new Listed(names(Files.readAllBytes(answer)), said);
        } finally {
            Files.deleteIfExists(answer);
            Files.deleteIfExists(complaints);
        }
    }

    private static ProcessBuilder builder(Path folder, List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectInput(Redirect.from(Path.of("/dev/null").toFile()));
        builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
        builder.environment().put("LC_ALL", "C");
        builder.environment().put("GIT_OPTIONAL_LOCKS", "0");
        return builder;
    }

    private static void await(Process git) throws IOException {
        try {
            if (git.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
            end(git);
            throw new IOException("no answer within " + PATIENCE);
        } catch (InterruptedException asked) {
            end(git);
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", asked);
        }
    }

    private static void end(Process git) {
        git.descendants().forEach(ProcessHandle::destroyForcibly);
        git.destroyForcibly();
    }

    /** Fails for a name that cannot be spelled in this process's locale: taken for another it would look absent. */
    private static Set<String> names(byte[] answer) throws IOException {
        Set<String> names = new TreeSet<>();
        int start = 0;
        for (int at = 0; at < answer.length; at++) {
            if (answer[at] == 0) {
                names.add(OF_NAMES.newDecoder()
                        .decode(ByteBuffer.wrap(answer, start, at - start))
                        .toString());
                start = at + 1;
            }
        }
        return names;
    }
}
