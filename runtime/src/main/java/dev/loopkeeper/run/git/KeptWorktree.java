package dev.loopkeeper.run.git;

/**
 * A worktree that stays after its work ended, because its content exists nowhere else or must be kept.
 *
 * @param path of its folder
 * @param reason one line, e.g. {@code app is a repository of its own}
 */
public record KeptWorktree(String path, String reason) {
    public String text() {
        return "the worktree " + path + " stays: " + reason;
    }
}
