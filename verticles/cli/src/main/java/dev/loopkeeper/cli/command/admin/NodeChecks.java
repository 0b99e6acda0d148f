package dev.loopkeeper.cli.command.admin;

import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.cluster.BusOptions;
import dev.loopkeeper.cluster.ClusterOptions;
import dev.loopkeeper.cluster.NodeCheck;
import dev.loopkeeper.cluster.NodeCheckup;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Checks what a node depends on, with the refusals of {@code serve}; leaves nothing behind. */
record NodeChecks(Vertx vertx, Path dataFolder, Map<String, String> environment) {
    private static final String BUS = "nodes reach each other over the event bus";

    /** @param wanted the node; fails with {@link CommandFailure} if its options contradict each other */
    List<MachineCheck> of(Supplier<ServeNode> wanted) {
        ServeNode node;
        ClusterOptions options;
        try {
            node = wanted.get();
            options = node.options(environment, () -> "", 0);
        } catch (CommandFailure refused) {
            return List.of(MachineCheck.required("the options of the node are valid", false, refused.getMessage()));
        }
        int members = node.bus().map(ServeBus::size).orElse(0);
        NodeCheckup.Report report = Session.await(new NodeCheckup(vertx, options, dataFolder, members).check());
        List<NodeCheck> checks = new ArrayList<>(report.checks());
        node.bus().ifPresent(bus -> checks.addAll(bus(bus, report.atWork())));
        return checks.stream()
                .map(each -> new MachineCheck(each.guarantee(), each.needed(), each.holds(), each.found()))
                .toList();
    }

    private static List<NodeCheck> bus(ServeBus bus, boolean atWork) {
        List<NodeCheck> checks = new ArrayList<>();
        try {
            BusOptions options = bus.options(!atWork);
            String ports = options.bind() + " and, for messages, " + options.messagePort();
            checks.add(NodeCheck.needed(
                    BUS, true, ports + (atWork ? " are in use by this node, which is running" : " are free")));
            checks.add(membership(options));
        } catch (CommandFailure refused) {
            checks.add(NodeCheck.needed(BUS, false, refused.getMessage()));
        }
        return checks;
    }

    /** Reports who can reach the membership port, which no check from this machine can prove. */
    private static NodeCheck membership(BusOptions options) {
        boolean local = ServeBus.isLoopback(options.bind().host());
        return NodeCheck.useful(
                "only nodes can reach the port of the event bus",
                local,
                local
                        ? options.bind() + " is reachable from this machine only"
                        : options.bind()
                                + " has neither TLS nor authentication; permit only the other nodes to connect, by a"
                                + " private network, a tunnel or a firewall");
    }
}
