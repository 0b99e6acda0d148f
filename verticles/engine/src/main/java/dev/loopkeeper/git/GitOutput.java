package dev.loopkeeper.git;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The output of git, read part by part at the speed of the reader. Read by one thread at a time; any thread may close it,
 * also during a read. Git has ended when {@link #close} returns.
 */
public final class GitOutput implements AutoCloseable {
    private final Process git;
    private final GitCall call;
    private final ByteArrayOutputStream complaints = new ByteArrayOutputStream();
    private volatile boolean closed;

    GitOutput(Process git, GitCall call) {
        this.git = git;
        this.call = call;
    }

    /**
     * Waits until there are so many bytes, or the end. Fails with {@link GitException} when git does not end well, or it was
     * closed.
     *
     * @return fewer only at the end
     */
    public byte[] read(int most) throws GitException {
        byte[] part = new byte[most];
        int length = 0;
        try {
            InputStream out = git.getInputStream();
            int read = 0;
            while (length < most && read >= 0) {
                GitProgram.takeEnd(git.getErrorStream(), complaints);
                read = out.read(part, length, most - length);
                length += Math.max(0, read);
            }
            if (length < most) {
                end();
            }
        } catch (IOException broken) {
            throw closed || !(broken instanceof GitException known)
                    ? new GitException(name() + " was ended: " + broken.getMessage(), true, broken)
                    : known;
        }
        return Arrays.copyOf(part, length);
    }

    private void end() throws IOException {
        try {
            int exit = git.waitFor();
            GitProgram.takeEnd(git.getErrorStream(), complaints);
            if (exit != 0) {
                throw new GitException(
                        name() + " ended with " + exit + ": "
                                + complaints.toString(StandardCharsets.UTF_8).strip(),
                        closed,
                        null);
            }
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
            throw new GitException("interrupted", true, asked);
        }
    }

    private String name() {
        return "git " + call.words().get(0);
    }

    @Override
    public void close() {
        closed = true;
        GitProgram.end(git);
    }
}
