package dev.loopkeeper.cli.verb;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The part of {@code doctor} that looks at a node, without the trials of the machine, which take seconds each time. */
public final class NodeTrial {
    private NodeTrial() {}

    @Command
    private static final class Asked {
        @Mixin
        private final ServeCluster cluster = new ServeCluster();
    }

    /** What {@code doctor --json} has among its checks for these options. */
    public static JsonNode checks(Path dataFolder, Map<String, String> environment, String... options)
            throws Exception {
        Asked asked = new Asked();
        Object unused = new CommandLine(asked).parseArgs(options);
        Vertx vertx = Vertx.vertx();
        try {
            return DoctorVerb.document(asked.cluster.checks(vertx, dataFolder, environment))
                    .path("checks");
        } finally {
            vertx.close().await(1, TimeUnit.MINUTES);
        }
    }
}
