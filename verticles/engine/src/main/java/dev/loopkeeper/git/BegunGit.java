package dev.loopkeeper.git;

/**
 * A call of git that has begun, and waits for its input if it needs one. It is gone at the end of {@link #close}, whatever it does; and where this process
 * is killed, since its input ends with it.
 */
public final class BegunGit implements AutoCloseable {
    private final GitProgram program;
    private final Process process;
    private final GitCall call;

    BegunGit(GitProgram program, Process process, GitCall call) {
        this.program = program;
        this.process = process;
        this.call = call;
    }

    /** Gives it its input and takes its answer, see {@link GitProgram#run(BegunGit, String)}. */
    public GitAnswer run(String input) throws GitException {
        return program.run(this, input);
    }

    /** Gives it all of its input, so that it works while something else is done; {@link #run} is then given none. */
    public void give(String input) {
        GitProgram.give(process, call.given(input).input());
    }

    /** What it is to do. */
    public GitCall call() {
        return call;
    }

    Process process() {
        return process;
    }

    /** Ends git and its children, from any thread; the reader of its answer is notified. Does not wait. */
    public void kill() {
        GitProgram.kill(process);
    }

    @Override
    public void close() {
        GitProgram.end(process);
    }
}
