package dev.loopkeeper.data;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/** Finds the first folder that {@link FolderRemoval} could not empty, since another user owns it. Blocks. */
final class RemovalCheck extends SimpleFileVisitor<Path> {
    private Optional<Path> foreign = Optional.empty();

    /** The first such folder in this one. */
    static Optional<Path> foreignIn(Path folder) throws IOException {
        RemovalCheck check = new RemovalCheck();
        Files.walkFileTree(folder, check);
        return check.foreign;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes facts) throws IOException {
        boolean ours = Files.isWritable(folder) || Files.getOwner(folder).equals(Files.getOwner(Path.of("/proc/self")));
        return ours ? FileVisitResult.CONTINUE : found(folder);
    }

    @Override
    public FileVisitResult visitFileFailed(Path path, IOException failure) {
        return failure instanceof NoSuchFileException ? FileVisitResult.CONTINUE : found(path);
    }

    private FileVisitResult found(Path path) {
        foreign = Optional.of(path);
        return FileVisitResult.TERMINATE;
    }
}
