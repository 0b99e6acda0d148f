package dev.loopkeeper.step;

/**
 * An orphaned process of a step that Loopkeeper ended.
 *
 * @param command its command line, shortened
 * @param foundBy {@code session}, {@code group}, {@code descendant}, {@code nonce}, {@code cgroup} or {@code namespace}
 */
public record SweptProcess(long pid, String command, String foundBy) {
    /** E.g. {@code 4711 sleep 300 (nonce)}. */
    public String text() {
        return pid + " " + command + " (" + foundBy + ")";
    }
}
