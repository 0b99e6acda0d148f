package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The nodes of a test over one database of their own, and servers without a cluster beside them; closed together. */
final class ServedNodes implements AutoCloseable {
    private static final String DATABASE = "nodes";

    private final Path folder;
    private final Path shared;
    private final StoreServer store;
    private final List<ServedNode> served = new ArrayList<>();

    /** @param folder holds the data folder of each, by its name, and the folder that they share */
    ServedNodes(Path folder) throws IOException {
        this.folder = folder;
        this.shared = Files.createDirectories(folder.resolve("shared"));
        this.store = StoreServer.start();
        store.makeDatabase(DATABASE);
    }

    /** A new folder that each node has at the same place. */
    Path shared(String name) throws IOException {
        return Files.createDirectories(shared.resolve(name));
    }

    /** A node of this name, once it serves. */
    ServedNode node(String name) {
        return serve(
                name,
                "--node",
                name,
                "--store",
                store.url("postgres", DATABASE),
                "--lease",
                "5m",
                "--shared-root",
                shared.toString());
    }

    /** A server without a cluster, once it serves. */
    ServedNode alone(String name) {
        return serve(name);
    }

    private ServedNode serve(String name, String... options) {
        ServedNode node = new ServedNode(new Terminal(folder.resolve("own")), folder.resolve(name), options);
        served.add(node);
        assertThat(node.url()).startsWith("http");
        return node;
    }

    /** The first column of what the database answers. */
    List<String> ask(String sql) {
        return store.ask(DATABASE, sql);
    }

    @Override
    public void close() throws IOException {
        served.forEach(ServedNode::close);
        store.close();
    }
}
