package dev.loopkeeper.chaos;

import com.google.errorprone.annotations.Immutable;
import java.io.IOException;

/** What befalls a node from one moment on, until it is ended. */
enum NodeFault {
    RUNTIME_KILLED("kill -9 of the runtime", ChaosNode::kill, ChaosNode::start),
    RUNTIME_AND_WARDEN_KILLED(
            "kill -9 of runtime and warden",
            node -> {
                long warden = node.warden();
                node.kill();
                Signals.send("KILL", warden);
            },
            ChaosNode::start),
    RUNTIME_STOPPED(
            "SIGSTOP of the runtime",
            node -> Signals.send("STOP", node.pid()),
            node -> Signals.send("CONT", node.pid())),
    EVERYTHING_STOPPED("SIGSTOP of all of the node", ChaosNode::freeze, ChaosNode::thaw),
    CUT("cut from the database", node -> node.link.set(false, false, 0), node -> node.link.heal()),
    ANSWERS_LOST("answers of the database lost", node -> node.link.set(true, false, 0), node -> node.link.heal()),
    QUESTIONS_LOST("questions to the database lost", node -> node.link.set(false, true, 0), node -> node.link.heal());

    private final String words;
    private final FaultAction begin;
    private final FaultAction end;

    @Immutable
    private interface FaultAction {
        void on(ChaosNode node) throws IOException, InterruptedException;
    }

    NodeFault(String words, FaultAction begin, FaultAction end) {
        this.words = words;
        this.begin = begin;
        this.end = end;
    }

    void begin(ChaosNode node) throws IOException, InterruptedException {
        begin.on(node);
    }

    /** Where the runtime was killed it is started, which continues behind this. */
    void end(ChaosNode node) throws IOException, InterruptedException {
        end.on(node);
    }

    /** Whether the node is as it was when {@link #end} returns. */
    boolean isOverAtOnce() {
        return this != RUNTIME_KILLED && this != RUNTIME_AND_WARDEN_KILLED;
    }

    @Override
    public String toString() {
        return words;
    }
}
