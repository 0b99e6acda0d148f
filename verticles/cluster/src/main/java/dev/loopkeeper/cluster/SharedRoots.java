package dev.loopkeeper.cluster;

import dev.loopkeeper.data.AtomicFile;
import dev.loopkeeper.ownership.Placement;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.StoreException;
import dev.loopkeeper.store.postgres.RunOwners;
import dev.loopkeeper.work.InOrder;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Folders that all nodes see under the same path. A marker file in each folder proves it. */
final class SharedRoots {
    private static final String MARK = ".loopkeeper-root";

    private final String node;
    private final List<Path> roots;
    /** Paths of the roots without links. */
    private final Map<Path, Path> real = new ConcurrentHashMap<>();

    SharedRoots(String node, List<Path> roots) {
        this.node = node;
        this.roots = roots.stream().map(Path::normalize).toList();
    }

    Set<String> paths() {
        return roots.stream().map(Path::toString).collect(Collectors.toSet());
    }

    /**
     * Marks each folder and compares its marker with the database. Fails with {@link StoreException} for a folder that
     * differs.
     */
    Future<Void> prove(Vertx vertx, RunOwners owners) {
        return InOrder.each(
                roots,
                root -> vertx.executeBlocking(() -> resolve(root), false)
                        .compose(mark -> owners.rootMark(root.toString(), mark)
                                .compose(known -> known.equals(mark)
                                        ? Future.<Void>succeededFuture()
                                        : Future.failedFuture(new StoreException(another(root), null)))));
    }

    private String resolve(Path root) throws IOException {
        String mark = mark(root);
        real.put(root, root.toRealPath());
        return mark;
    }

    /** Returns the names of this file for all nodes; none if only this node sees it. */
    Set<String> sharedNames(Path file) {
        return roots.stream()
                .flatMap(root -> Stream.of(root, real.getOrDefault(root, root))
                        .filter(file::startsWith)
                        .map(seen -> root.resolve(seen.relativize(file)).toString()))
                .collect(Collectors.toSet());
    }

    private static String another(Path root) {
        return "shared root " + root + " is not the folder that the other nodes see: its " + MARK
                + " holds another mark. Mount the shared folder there, or leave the root out.";
    }

    /** Checks what {@link #prove} would find; creates no marker. */
    Future<List<NodeCheck>> check(Vertx vertx, RunOwners owners) {
        return check(vertx, owners::knownRootMark);
    }

    /** Does the same without a database query, before the first node. */
    Future<List<NodeCheck>> checkBeforeFirstNode(Vertx vertx) {
        return check(vertx, root -> Future.succeededFuture(Optional.empty()));
    }

    private Future<List<NodeCheck>> check(Vertx vertx, Function<String, Future<Optional<String>>> marks) {
        return Future.join(roots.stream()
                        .map(root -> marks.apply(root.toString())
                                .compose(known -> vertx.executeBlocking(() -> check(root, known), false)))
                        .toList())
                .map(all -> all.<NodeCheck>list());
    }

    private static NodeCheck check(Path root, Optional<String> known) throws IOException {
        String guarantee = "runs below " + root + " may be executed by any node";
        Path file = root.resolve(MARK);
        if (Files.exists(file)) {
            String mark = Files.readString(file, StandardCharsets.US_ASCII).strip();
            return known.isEmpty() || known.get().equals(mark)
                    ? NodeCheck.needed(
                            guarantee,
                            true,
                            known.isEmpty()
                                    ? "no node uses this folder yet"
                                    : "its marker equals that of the other nodes")
                    : NodeCheck.needed(guarantee, false, another(root));
        }
        if (known.isPresent()) {
            return NodeCheck.needed(
                    guarantee,
                    false,
                    "shared root " + root + " is not the folder that the other nodes see: it has no " + MARK
                            + ". Mount the shared folder there, or remove the root from the options.");
        }
        return Files.isWritable(root)
                ? NodeCheck.needed(guarantee, true, "no node uses this folder yet; the first node marks it")
                : NodeCheck.needed(
                        guarantee,
                        false,
                        "shared root " + root + " cannot be written; give this user write permission");
    }

    /**
     * Returns the marker and creates it if missing. Of several nodes that create it at once, one wins, and all read its
     * marker.
     */
    static String mark(Path root) throws IOException {
        Path file = root.resolve(MARK);
        try {
            make(file);
        } catch (FileAlreadyExistsException kept) {
            // Another node created it first.
        } catch (IOException refused) {
            throw new StoreException("shared root " + root + " cannot be written: " + refused, refused);
        }
        String mark = Files.readString(file, StandardCharsets.US_ASCII).strip();
        if (mark.isEmpty()) {
            throw new StoreException(
                    "shared root " + root + " has an empty " + MARK + "; remove it and start this node again", null);
        }
        return mark;
    }

    private static void make(Path file) throws IOException {
        if (Files.exists(file)) {
            return;
        }
        String mark = UUID.randomUUID().toString();
        Path draft = file.resolveSibling(MARK + "." + mark);
        try {
            // Not for its owner alone: nodes of other users read it.
            Files.writeString(draft, mark);
            AtomicFile.syncFile(draft);
            link(file, draft);
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    private static void link(Path file, Path draft) throws IOException {
        try {
            Files.createLink(file, draft);
        } catch (FileAlreadyExistsException kept) {
            throw kept;
        } catch (IOException | UnsupportedOperationException withoutLinks) {
            Files.copy(draft, file);
        }
    }

    /** Returns which nodes may execute a run that is created here. */
    Placement placement(RunRow row) {
        Optional<Path> workspace =
                row.outline().flatMap(outline -> outline.workspace()).map(Path::of);
        Optional<String> shared = workspace.flatMap(path -> roots.stream()
                .filter(root -> path.normalize().startsWith(root))
                .max(Comparator.comparing(Path::getNameCount))
                .map(Path::toString));
        return Placement.of(node, shared, row.view().hasNonNull("git"));
    }
}
