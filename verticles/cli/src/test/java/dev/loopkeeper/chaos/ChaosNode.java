package dev.loopkeeper.chaos;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A node whose way to the database can be cut; as root its disk can be filled, too. */
final class ChaosNode extends ServeNode {
    final FaultyLink link;
    Optional<SmallDisk> disk = Optional.empty();

    /** @param bus more options, for the event bus */
    ChaosNode(String name, Path folder, Path shared, FaultyLink link, String lease, List<String> bus)
            throws IOException {
        super(name, folder, options(name, shared, link, lease, bus));
        this.link = link;
    }

    private static List<String> options(String name, Path shared, FaultyLink link, String lease, List<String> bus) {
        List<String> all = new ArrayList<>(List.of(
                "--node",
                name,
                "--store",
                "postgresql://postgres@127.0.0.1:" + link.port() + "/" + ChaosDatabase.NAME,
                "--shared-root",
                shared.toString(),
                "--lease",
                lease));
        all.addAll(bus);
        return all;
    }

    /** Before its first start: its data folder gets a disk of its own, where that can be had. */
    void ownDisk() throws IOException {
        disk = SmallDisk.at(data);
    }
}
