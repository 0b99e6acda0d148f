package dev.loopkeeper.data;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Removes a folder and its content without following links, write-protected folders too, since packages often are.
 * Files that disappear during the removal are ignored. Blocks.
 */
public final class FolderRemoval extends SimpleFileVisitor<Path> {
    private FolderRemoval() {}

    /** Removes a folder or file; does nothing where there is none. */
    public static void remove(Path path) throws IOException {
        if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            Files.walkFileTree(path, new FolderRemoval());
        }
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes facts) throws IOException {
        if (!Files.isWritable(folder) && !folder.toFile().setWritable(true)) {
            throw new IOException(folder + " is write-protected");
        }
        return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes facts) throws IOException {
        Files.deleteIfExists(file);
        return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
        if (failure instanceof NoSuchFileException) {
            return FileVisitResult.CONTINUE;
        }
        throw failure;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path emptied, IOException failure) throws IOException {
        Files.deleteIfExists(emptied);
        return FileVisitResult.CONTINUE;
    }
}
