package dev.loopkeeper.chaos;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A node whose way to the database can be cut. */
final class ChaosNode extends ServeNode {
    final FaultyLink link;

    ChaosNode(String name, Path folder, Path shared, FaultyLink link, String lease) throws IOException {
        super(
                name,
                folder,
                List.of(
                        "--node",
                        name,
                        "--store",
                        "postgresql://postgres@127.0.0.1:" + link.port() + "/" + ChaosDatabase.NAME,
                        "--shared-root",
                        shared.toString(),
                        "--lease",
                        lease));
        this.link = link;
    }
}
