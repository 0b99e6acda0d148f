package dev.loopkeeper.contract.run;

import dev.loopkeeper.contract.RequestChannel;

/** Event-bus channels of a cluster node. Most have no handler without a cluster. */
public final class NodeChannels {
    /** Lists all nodes. */
    public static final RequestChannel<ListNodes, NodeList> LIST = of("list", ListNodes.class, NodeList.class);
    /** Returns this node's state from memory. */
    public static final RequestChannel<GetNode, NodeSelf> SELF = of("self", GetNode.class, NodeSelf.class);
    /** Returns figures of this node's leases from memory. */
    public static final RequestChannel<GetNodeFigures, NodeFigures> FIGURES =
            of("figures", GetNodeFigures.class, NodeFigures.class);
    /** Returns the node whose disk has a step's files. */
    public static final RequestChannel<GetStep, StepPlace> STEP = of("step", GetStep.class, StepPlace.class);

    /** Sends a request to another node. */
    public static final RequestChannel<AskNode, NodeReply> ASK = of("ask", AskNode.class, NodeReply.class);
    /** Reads a log on this node's disk; also served without a cluster. */
    public static final RequestChannel<ReadLog, LogPart> READ_LOG = of("read-log", ReadLog.class, LogPart.class);
    /** Returns the nodes whose disks have a run's files. */
    public static final RequestChannel<GetRunPlaces, RunPlaces> PLACES =
            of("places", GetRunPlaces.class, RunPlaces.class);
    /** Lists files of a run on this node's disk; also served without a cluster. */
    public static final RequestChannel<ListRunFiles, RunFileList> LIST_FILES =
            of("list-files", ListRunFiles.class, RunFileList.class);
    /** Reads one of these files; also served without a cluster. */
    public static final RequestChannel<ReadRunFile, RunFilePart> READ_FILE =
            of("read-file", ReadRunFile.class, RunFilePart.class);

    private NodeChannels() {}

    private static <Q, A> RequestChannel<Q, A> of(String name, Class<Q> question, Class<A> answer) {
        return new RequestChannel<>("loopkeeper.nodes." + name, question, answer);
    }
}
