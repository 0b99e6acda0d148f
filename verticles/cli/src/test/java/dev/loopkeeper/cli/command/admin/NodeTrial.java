package dev.loopkeeper.cli.command.admin;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;

/** The part of {@code doctor} that checks a node, without the trials of the machine, which take seconds each time. */
public final class NodeTrial {
    private NodeTrial() {}

    /** What {@code doctor --json} has among its checks for these options. */
    public static JsonNode checks(Path dataFolder, Map<String, String> environment, String... options)
            throws Exception {
        ServeCluster cluster = new ServeCluster();
        Object unused = new CommandLine(cluster).parseArgs(options);
        Vertx vertx = Vertx.vertx();
        try {
            return DoctorCommand.document(cluster.checks(vertx, dataFolder, environment), List.of())
                    .path("checks");
        } finally {
            vertx.close().await(1, TimeUnit.MINUTES);
        }
    }
}
