package dev.loopkeeper.cluster;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes with a shared root, of which tests submit runs to the first. */
abstract class TwoNodes {
    @TempDir
    private Path folder;

    LocalNodes nodes;
    LocalNodes.Node owner;
    LocalNodes.Node other;

    @BeforeEach
    void start() {
        nodes = new LocalNodes(folder);
        owner = nodes.start("n1");
        other = nodes.start("n2");
    }

    @AfterEach
    void end() {
        nodes.close();
    }
}
