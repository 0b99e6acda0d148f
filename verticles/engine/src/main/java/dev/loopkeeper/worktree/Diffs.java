package dev.loopkeeper.worktree;

import dev.loopkeeper.contract.Changes;
import dev.loopkeeper.contract.CheckoutChannels.CommitsDiff;
import dev.loopkeeper.contract.CheckoutChannels.CommitsDiff.FileChange;
import dev.loopkeeper.contract.CheckoutChannels.DiffCommits;
import dev.loopkeeper.contract.CheckoutChannels.DiffPart;
import dev.loopkeeper.contract.CheckoutChannels.ReadDiff;
import dev.loopkeeper.contract.WorktreeException;
import dev.loopkeeper.contract.WorktreeException.Problem;
import dev.loopkeeper.git.GitAnswer;
import dev.loopkeeper.git.GitCall;
import dev.loopkeeper.git.GitNames;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Reads the changes between commits. Blocking. */
final class Diffs {
    private static final int MOST_BYTES = 64 << 20;
    /** Limit for idle readers, as {@link ReadDiff} specifies. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final GitCalls calls;
    private final Commits commits;
    private final DiffReaders readers = new DiffReaders(PATIENCE);

    Diffs(GitCalls calls, Commits commits) {
        this.calls = calls;
        this.commits = commits;
    }

    /** Returns one part of the diff. */
    DiffPart read(ReadDiff question) {
        return readers.read(question, () -> {
            Path repository = present(question.repository());
            String from = resolved(repository, question.from());
            return calls.open(call(repository, "--patch", from, resolved(repository, question.to())));
        });
    }

    DiffReaders readers() {
        return readers;
    }

    private static Path present(Path repository) {
        if (!Files.exists(repository.resolve(".git"))) {
            throw new WorktreeException(Problem.REPOSITORY_MOVED, "the repository " + repository + " no longer exists");
        }
        return repository;
    }

    CommitsDiff diff(DiffCommits question) {
        Path repository = present(question.repository());
        String from = resolved(repository, question.from());
        String to = resolved(repository, question.to());
        int limit = Math.max(0, Math.min(MOST_BYTES, question.limitBytes()));
        String text = "";
        boolean cut = false;
        if (limit > 0) {
            GitAnswer patch = calls.good(call(repository, "--patch", from, to).saying(limit));
            cut = patch.cut();
            text = text(patch.bytes(), cut);
        }
        List<FileChange> files = new ArrayList<>();
        Changes total = Changes.NONE;
        for (byte[] field : calls.good(call(repository, "--numstat", from, to)).fields()) {
            FileChange file = file(field);
            total = new Changes(
                    total.files() + 1, total.insertions() + file.insertions(), total.deletions() + file.deletions());
            if (files.size() < CommitsDiff.MOST_FILES) {
                files.add(file);
            }
        }
        return new CommitsDiff(from, to, text, cut || (limit == 0 && total.files() > 0), files, total);
    }

    private static GitCall call(Path repository, String how, String from, String to) {
        return GitCall.in(
                repository,
                "diff-tree",
                "-r",
                "--no-renames",
                "--no-ext-diff",
                "--no-textconv",
                "--no-color",
                "--src-prefix=a/",
                "--dst-prefix=b/",
                "--ignore-submodules=none",
                how,
                "--numstat".equals(how) ? "-z" : "--full-index",
                from,
                to);
    }

    private String resolved(Path repository, String name) {
        return commits.named(repository, name)
                .orElseThrow(() -> new WorktreeException(
                        Problem.UNKNOWN_COMMIT, "the repository " + repository + " has no commit \"" + name + "\""));
    }

    private static String text(byte[] bytes, boolean cut) {
        int end = bytes.length;
        while (cut && end > 0 && bytes[end - 1] != '\n') {
            end--;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8);
    }

    private static FileChange file(byte[] field) {
        String line = new String(field, StandardCharsets.ISO_8859_1);
        String[] parts = line.split("\t", 3);
        byte[] name = Arrays.copyOfRange(field, parts[0].length() + parts[1].length() + 2, field.length);
        return new FileChange(
                GitNames.spelled(name), Commits.lines(parts[0]), Commits.lines(parts[1]), "-".equals(parts[0]));
    }
}
