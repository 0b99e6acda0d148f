package dev.loopkeeper.contract.run;

import dev.loopkeeper.contract.RequestChannel;

/** Where a node of a cluster is asked about itself and the others. Without a cluster nobody answers. */
public final class NodeChannels {
    /** Which nodes there are. */
    public static final RequestChannel<ListNodes, NodeList> LIST = of("list", ListNodes.class, NodeList.class);
    /** How this one is; cheap, from memory. */
    public static final RequestChannel<GetNode, NodeSelf> SELF = of("self", GetNode.class, NodeSelf.class);
    /** How its leases went; cheap, from memory. */
    public static final RequestChannel<GetNodeFigures, NodeFigures> FIGURES =
            of("figures", GetNodeFigures.class, NodeFigures.class);
    /** On whose disk a step's files lie. */
    public static final RequestChannel<GetStep, StepPlace> STEP = of("step", GetStep.class, StepPlace.class);

    /** Ask another node something. */
    public static final RequestChannel<AskNode, NodeReply> ASK = of("ask", AskNode.class, NodeReply.class);
    /** Read what lies on this node's disk; answered also without a cluster. */
    public static final RequestChannel<ReadLog, LogPart> READ_LOG = of("read-log", ReadLog.class, LogPart.class);
    /** On whose disks a run's files lie. */
    public static final RequestChannel<GetRunPlaces, RunPlaces> PLACES =
            of("places", GetRunPlaces.class, RunPlaces.class);
    /** Which files of a run lie on this node's disk; answered also without a cluster. */
    public static final RequestChannel<ListRunFiles, RunFileList> LIST_FILES =
            of("list-files", ListRunFiles.class, RunFileList.class);
    /** Read one of them; answered also without a cluster. */
    public static final RequestChannel<ReadRunFile, RunFilePart> READ_FILE =
            of("read-file", ReadRunFile.class, RunFilePart.class);

    private NodeChannels() {}

    private static <Q, A> RequestChannel<Q, A> of(String verb, Class<Q> question, Class<A> answer) {
        return new RequestChannel<>("loopkeeper.nodes." + verb, question, answer);
    }
}
