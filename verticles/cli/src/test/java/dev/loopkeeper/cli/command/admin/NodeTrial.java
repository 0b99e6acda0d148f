package dev.loopkeeper.cli.command.admin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.json.Json;
import io.vertx.core.Vertx;
import java.nio.file.Path;
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
            return Json.MAPPER.valueToTree(cluster.checks(vertx, dataFolder, environment));
        } finally {
            vertx.close().await(1, TimeUnit.MINUTES);
        }
    }
}
