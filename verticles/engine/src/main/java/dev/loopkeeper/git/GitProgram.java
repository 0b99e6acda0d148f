package dev.loopkeeper.git;

import dev.loopkeeper.work.OwnSession;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Runs git without prompts, without processes that outlive it, and without hooks unless requested. Variables that name a
 * repository are removed; other settings of the environment, the user and the repository apply. Writes are durable when
 * git ends. Blocks; thread-safe.
 */
public class GitProgram {
    private static final int TICK_MILLIS = 2;
    private static final int PART = 1 << 16;
    /** More than a pipe holds, so all output of an ended git is read. */
    private static final int MOST_PARTS = 64;

    private static final int MOST_END_SECONDS = 5;
    private static final int MOST_COMPLAINTS = 1 << 16;
    private final String program;
    private final List<String> confinement;

    /** @param program {@code git}, or its path */
    public GitProgram(String program) {
        this(program, List.of());
    }

    private GitProgram(String program, List<String> confinement) {
        this.program = program;
        this.confinement = List.copyOf(confinement);
    }

    /** Returns the same program behind these words, for a repository whose settings and filters an agent may have written. */
    public GitProgram confinedBy(List<String> words) {
        return new GitProgram(program, words);
    }

    /** Fails with {@link GitException} when it cannot be started or does not end in time; any exit is an answer. */
    public GitAnswer run(GitCall call) throws GitException {
        return run(call, unused -> {});
    }

    /**
     * As {@link #run(GitCall)}, for a call that another thread may end with {@link #kill}.
     *
     * @param started receives the process once it runs
     */
    public GitAnswer run(GitCall call, Consumer<ProcessHandle> started) throws GitException {
        Process git = start(call);
        try {
            started.accept(git.toHandle());
            return answer(git, call);
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
            throw new GitException("interrupted", true, asked);
        } catch (GitException known) {
            throw known;
        } catch (IOException broken) {
            throw new GitException(broken.toString(), true, broken);
        } finally {
            end(git);
        }
    }

    /** Starts a call whose output may be more than memory holds. Fails with {@link GitException} when it cannot be started. */
    public GitOutput open(GitCall call) throws GitException {
        return new GitOutput(start(call), call);
    }

    private Process start(GitCall call) throws GitException {
        List<String> command = new ArrayList<>(call.apart() ? OwnSession.words() : List.of());
        command.addAll(confinement);
        command.add(program);
        command.addAll(call.words());
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(call.folder().toFile());
        if (call.input().isEmpty()) {
            builder.redirectInput(Redirect.from(Path.of("/dev/null").toFile()));
        }
        call.environment().applyTo(builder.environment());
        try {
            return builder.start();
        } catch (IOException absent) {
            throw new GitException(program + " cannot be started: " + absent.getMessage(), false, absent);
        }
    }

    /**
     * Never blocks on a pipe: what git started may hold it open, and a full one would stop git. So what is there is
     * taken, and the end of the process wakes us in between.
     */
    private static GitAnswer answer(Process git, GitCall call) throws IOException, InterruptedException {
        give(git, call.input());
        InputStream out = git.getInputStream();
        InputStream err = git.getErrorStream();
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        ByteArrayOutputStream complaints = new ByteArrayOutputStream();
        long start = System.nanoTime();
        boolean over = false;
        while (!over) {
            over = git.waitFor(TICK_MILLIS, TimeUnit.MILLISECONDS);
            take(out, said, call.mostBytes() + 1);
            takeEnd(err, complaints);
            if (said.size() > call.mostBytes()) {
                end(git);
                return new GitAnswer(0, Arrays.copyOf(said.toByteArray(), call.mostBytes()), true, "");
            }
            if (!over && System.nanoTime() - start > call.limit().toNanos()) {
                throw new GitException(
                        "git " + call.words().get(0) + " did not end within " + limit(call.limit())
                                + " and was killed; check for a filter, hook or disk that hangs",
                        true,
                        null);
            }
        }
        String complaint = complaints.toString(StandardCharsets.UTF_8).strip();
        return new GitAnswer(git.exitValue(), said.toByteArray(), false, complaint);
    }

    private static String limit(Duration limit) {
        return limit.toSeconds() < 60 ? limit.toMillis() + " ms" : limit.toMinutes() + " minutes";
    }

    private static void give(Process git, String input) {
        if (input.isEmpty()) {
            return;
        }
        try (OutputStream in = git.getOutputStream()) {
            in.write(input.getBytes(StandardCharsets.UTF_8));
        } catch (IOException doesNotRead) {
            // The exit code and the error output say why.
            return;
        }
    }

    /** Reads some of the output; bytes beyond the limit are dropped, so that git continues. */
    static void take(InputStream from, ByteArrayOutputStream to, int most) throws IOException {
        byte[] part = new byte[PART];
        for (int taken = 0; taken < MOST_PARTS && from.available() > 0; taken++) {
            int read = from.read(part, 0, Math.min(from.available(), PART));
            to.write(part, 0, Math.max(0, Math.min(read, most - to.size())));
        }
    }

    /** Reads some of the error output and keeps its end, where a program says why it fails. */
    static void takeEnd(InputStream from, ByteArrayOutputStream to) throws IOException {
        take(from, to, Integer.MAX_VALUE);
        if (to.size() > MOST_COMPLAINTS) {
            byte[] all = to.toByteArray();
            to.reset();
            to.write(all, all.length - MOST_COMPLAINTS, MOST_COMPLAINTS);
        }
    }

    /** Also the end of it where it still works. */
    static void end(Process git) {
        if (git.isAlive()) {
            kill(git.toHandle());
            awaitEnd(git);
        }
        close(git.getInputStream());
        close(git.getErrorStream());
    }

    /** Ends git and its children, from any thread. Does not wait. */
    public static void kill(ProcessHandle git) {
        List<ProcessHandle> begun = git.descendants().toList();
        git.destroyForcibly();
        begun.forEach(ProcessHandle::destroyForcibly);
    }

    /** Waits for the end of git, which holds its locks until then. */
    private static void awaitEnd(Process git) {
        boolean interrupted = Thread.interrupted();
        try {
            boolean gone = git.waitFor(MOST_END_SECONDS, TimeUnit.SECONDS);
            interrupted |= !gone && Thread.interrupted();
        } catch (InterruptedException again) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void close(InputStream stream) {
        try {
            stream.close();
        } catch (IOException gone) {
            return;
        }
    }
}
