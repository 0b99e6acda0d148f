package dev.loopkeeper.git;

/**
 * A call of git that waits for its input. It is gone at the end of {@link #close}, whatever it does; and where this process
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
    public GitAnswer run(String input) throws GitTrouble {
        return program.run(this, input);
    }

    /** What it is to do. */
    public GitCall call() {
        return call;
    }

    Process process() {
        return process;
    }

    @Override
    public void close() {
        GitProgram.end(process);
    }
}
