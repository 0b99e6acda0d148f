package dev.loopkeeper.chaos;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A node whose way to the database can be cut and whose disk, as root, can be filled. */
final class ChaosNode extends ServeNode {
    final FaultyLink link;
    Optional<SmallDisk> disk = Optional.empty();

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

    /** Before its first start: its data folder gets a disk of its own, where that can be had. */
    void ownDisk() throws IOException {
        disk = SmallDisk.at(data);
    }
}
