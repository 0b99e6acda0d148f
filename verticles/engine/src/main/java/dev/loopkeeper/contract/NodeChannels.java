package dev.loopkeeper.contract;

import dev.loopkeeper.contract.RunChannels.GetStep;
import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.view.Node;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Event-bus channels of a cluster node, {@code loopkeeper.nodes.<command>}, each with its request and answer. Most have no
 * handler without a cluster.
 */
public final class NodeChannels {
    public static final RequestChannel<ListNodes, NodeList> LIST = of("list", ListNodes.class, NodeList.class);

    /** Request: all nodes. */
    public record ListNodes() {}

    /** Answer: all nodes, sorted by name. */
    public record NodeList(List<Node> nodes) {}

    /** Returns this node's state from memory. */
    public static final RequestChannel<GetNode, NodeSelf> SELF = of("self", GetNode.class, NodeSelf.class);

    /** Request: the state of this node. */
    public record GetNode() {}

    /**
     * Answer: the state of this node.
     *
     * @param live whether it has a lease and so executes runs
     */
    public record NodeSelf(String node, boolean live) {}

    /** Returns figures of this node's leases from memory. */
    public static final RequestChannel<GetNodeFigures, NodeFigures> FIGURES =
            of("figures", GetNodeFigures.class, NodeFigures.class);

    /** Request: figures of this node's leases. */
    public record GetNodeFigures() {}

    /**
     * Answer: figures of this node's leases since its start.
     *
     * @param marginMillis time until its processes would be ended; 0 without a lease
     * @param leastMarginMillis least margin at a renewal; equal to {@code marginMillis} before the first
     * @param takeovers runs that this node took over, from another node or its own earlier lease
     * @param fences other nodes whose lease this one ended
     * @param lostLeases own leases that ended before they were given up
     * @param commandsWaiting commands to runs of any node that none has taken yet; absent if the database does not answer
     * @param runsWithoutNode open runs without a live owner; absent likewise
     */
    public record NodeFigures(
            long marginMillis,
            long leastMarginMillis,
            long takeovers,
            long fences,
            long lostLeases,
            OptionalLong commandsWaiting,
            OptionalLong runsWithoutNode) {}

    /** Returns the node whose disk has a step's files. */
    public static final RequestChannel<GetStep, StepNode> STEP = of("step", GetStep.class, StepNode.class);

    /** Answer: the node that executed the step; empty if unknown. */
    public record StepNode(Optional<Node> node) {}

    public static final RequestChannel<GetRunNodes, RunNodes> RUN_NODES =
            of("places", GetRunNodes.class, RunNodes.class);

    /** Request: the nodes that have files of a run. */
    public record GetRunNodes(String runId) {}

    /**
     * Answer: the nodes that executed steps of the run.
     *
     * @param nodes without duplicates; the latest is last
     */
    public record RunNodes(List<Node> nodes) {
        public RunNodes {
            nodes = List.copyOf(nodes);
        }
    }

    public static final RequestChannel<AskNode, NodeReply> ASK = of("ask", AskNode.class, NodeReply.class);

    /**
     * Request to another node, which passes it to its own {@code channel}. Used only for requests whose answer may be lost.
     *
     * @param channel address of a channel that nodes serve to each other
     * @param body JSON of the request
     * @param patienceMillis time after which the caller no longer waits
     */
    public record AskNode(String node, String channel, String body, long patienceMillis) {}

    /**
     * Answer of another node, or the lack of one.
     *
     * @param code of a refusal; 0 otherwise
     * @param body JSON of the answer, or the reason of a refusal; empty if silent
     */
    public record NodeReply(Outcome outcome, int code, String body) {
        /** Kind of reply. */
        public enum Outcome {
            /** The node answered. */
            ANSWERED,
            /** The node refused the request. */
            REFUSED,
            /** The node did not answer; the request may have taken effect. */
            SILENT
        }

        public static NodeReply answered(String body) {
            return new NodeReply(Outcome.ANSWERED, 0, body);
        }

        public static NodeReply refused(int code, String why) {
            return new NodeReply(Outcome.REFUSED, code, why);
        }

        public static NodeReply silent() {
            return new NodeReply(Outcome.SILENT, 0, "");
        }
    }

    /** Reads a log on this node's disk; also served without a cluster. */
    public static final RequestChannel<ReadLog, LogPart> READ_LOG = of("read-log", ReadLog.class, LogPart.class);

    /**
     * Request: a part of the output of a step that this node executed.
     *
     * @param stream {@code stdout}, {@code stderr} or {@code prompt}
     * @param offset of the first byte
     * @param length in bytes, at most {@value #MOST}; 0 returns the state of the log only
     */
    public record ReadLog(String runId, String stepId, String stream, long offset, int length) {
        /** Bytes of one answer. */
        public static final int MOST = 128 * 1024;
    }

    /**
     * Answer: a part of a step's output, with the state of the log.
     *
     * @param bytes empty at the end
     * @param next offset at which to continue
     * @param size offset of the end; 0 if there is no file
     * @param begin offset of the first byte that was not dropped
     * @param launched whether the node has a folder of the step
     * @param output dialect of standard output
     */
    @SuppressWarnings("ArrayRecordComponent") // parts are not compared
    public record LogPart(byte[] bytes, long next, long size, long begin, boolean launched, OutputDialect output) {}

    /** Lists files of a run on this node's disk; also served without a cluster. */
    public static final RequestChannel<ListRunFiles, RunFileList> LIST_FILES =
            of("list-files", ListRunFiles.class, RunFileList.class);

    /**
     * Request: the files of a run that this node has and that an export contains, by path.
     *
     * @param after path after which to begin; empty for the first
     * @param limit 1 to {@value #MOST}
     */
    public record ListRunFiles(String runId, String after, int limit) {
        /** Files of one answer. */
        public static final int MOST = 1000;
    }

    /** Answer: a page of files; a page with fewer than requested is the last. */
    public record RunFileList(List<RunFile> files) {
        public RunFileList {
            files = List.copyOf(files);
        }
    }

    /**
     * A file of a run.
     *
     * @param path in the run's folder, e.g. {@code steps/build.1.dev.1/stdout.log}
     */
    public record RunFile(String path, long bytes) {}

    /** Reads one of these files; also served without a cluster. */
    public static final RequestChannel<ReadRunFile, RunFilePart> READ_FILE =
            of("read-file", ReadRunFile.class, RunFilePart.class);

    /**
     * Request: a part of a run's file on this node's disk.
     *
     * @param path as in {@link RunFile}
     * @param length in bytes, 1 to {@value #MOST}
     */
    public record ReadRunFile(String runId, String path, long offset, int length) {
        /** Bytes of one answer. */
        public static final int MOST = 128 * 1024;
    }

    /**
     * Answer: a part of a file.
     *
     * @param bytes fewer than requested at the end of the file
     */
    @SuppressWarnings("ArrayRecordComponent") // parts are not compared
    public record RunFilePart(byte[] bytes) {}

    private NodeChannels() {}

    private static <Q, A> RequestChannel<Q, A> of(String name, Class<Q> question, Class<A> answer) {
        return new RequestChannel<>("loopkeeper.nodes." + name, question, answer);
    }
}
