package dev.loopkeeper.worktree;

import dev.loopkeeper.git.GitAnswer;
import dev.loopkeeper.git.GitCall;
import dev.loopkeeper.git.GitNames;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Merges in the object database only: no branch, index or file changes. */
final class Trees {
    /**
     * Result of a merge.
     *
     * @param tree invalid where there are conflicts
     * @param conflicts the conflicting files, as git prints them
     */
    record Merged(String tree, List<String> conflicts) {}

    private Trees() {}

    static Merged merge(GitCalls calls, Path folder, String ours, String theirs) {
        GitCall call =
                GitCall.in(folder, "merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", ours, theirs);
        GitAnswer answer = calls.ask(call);
        if (answer.exit() > 1 || answer.fields().isEmpty()) {
            throw GitCalls.failure(call, answer);
        }
        List<byte[]> fields = answer.fields();
        String tree = new String(fields.get(0), StandardCharsets.ISO_8859_1);
        List<String> conflicts = fields.subList(1, fields.size()).stream()
                .filter(name -> name.length > 0)
                .map(GitNames::spelled)
                .distinct()
                .toList();
        if (!answer.isGood() && conflicts.isEmpty()) {
            throw GitCalls.failure(call, answer);
        }
        return new Merged(tree, conflicts);
    }
}
