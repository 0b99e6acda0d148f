package dev.loopkeeper.process.tree;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Signals the members of a tree that a scan finds, and remembers what happened to each. Blocking; one scan at a time. */
final class TreeScan {
    private static final Logger LOG = LoggerFactory.getLogger(TreeScan.class);

    private final TreeContext context;
    private final ProcessTree tree;
    private final String name;
    private final KilledProcesses killed = new KilledProcesses();
    private Optional<Callable<Void>> note = Optional.empty();
    private Runnable conclusion = () -> {};

    /** @param name of the processes in logs */
    TreeScan(TreeContext context, ProcessTree tree, String name) {
        this.context = context;
        this.tree = tree;
        this.name = name;
    }

    /** See {@link ProcessTreeTermination#noting}. */
    void noting(Callable<Void> first) {
        note = Optional.of(first);
    }

    /** See {@link ProcessTreeTermination#concluding}. */
    void concluding(Runnable last) {
        conclusion = last;
    }

    KilledProcesses killed() {
        return killed;
    }

    /**
     * Result of a scan.
     *
     * @param deserted whether the control group is empty too; two scans in a row do not miss a forking process, and an
     *     empty group is certain
     * @param complete whether no member can have been missed
     */
    record Found(int living, boolean deserted, boolean complete) {}

    /** Sends the signal to members that have not got it. */
    Found signal(ProcessSnapshot snapshot, String signal, CleanScans before) {
        Map<Identity, String> living = tree.members(snapshot, context.processes());
        killed.markGone(living, context.clock().instant());
        takeNote();
        if (!signal.equals(Signals.KILL)) {
            noteMembers();
        }
        signalAll(living, signal);
        if (signal.equals(Signals.KILL) && !living.isEmpty() && !tree.killEnclosed()) {
            LOG.debug("{} have no control group to kill", name);
        }
        tree.requireRecord();
        boolean deserted = living.isEmpty() && tree.deserted();
        boolean complete = tree.sawAll();
        if (deserted || (living.isEmpty() && before.plus(complete).isEnd())) {
            conclusion.run();
        }
        return new Found(living.size(), deserted, complete);
    }

    private void takeNote() {
        Optional<Callable<Void>> due = note;
        note = Optional.empty();
        if (due.isPresent()) {
            try {
                due.get().call();
            } catch (Exception failed) {
                LOG.warn("the end of {} could not be recorded: {}", name, failed.toString());
            }
        }
    }

    /** Processes that got the polite signal only may outlive this runtime. */
    private void noteMembers() {
        try {
            tree.note();
        } catch (IOException failed) {
            LOG.warn("{} could not be recorded: {}", name, failed.toString());
        }
    }

    /** A failure for one process does not keep the others from being signalled. */
    private void signalAll(Map<Identity, String> living, String signal) {
        Optional<UncheckedIOException> unknown = Optional.empty();
        for (Map.Entry<Identity, String> member : living.entrySet()) {
            try {
                signal(member.getKey(), member.getValue(), signal);
            } catch (UncheckedIOException failure) {
                unknown = Optional.of(failure);
            }
        }
        if (unknown.isPresent()) {
            throw unknown.get();
        }
    }

    private void signal(Identity identity, String foundBy, String signal) {
        if (!killed.knows(identity)) {
            killed.add(identity, context.processes().command(identity.pid()), foundBy);
        }
        if (!killed.wasSent(identity, signal) && context.signals().send(identity, signal)) {
            killed.sent(identity, signal);
        }
    }
}
