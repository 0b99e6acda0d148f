package dev.loopkeeper.control;

import dev.loopkeeper.data.LockedFiles;
import dev.loopkeeper.json.JsonProblem;
import dev.loopkeeper.json.StrictObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * A file with one command for one run. It is renamed before it is executed, so that the next command does not overwrite
 * it, and so that a crash in between leaves a trace. Blocking.
 *
 * @param folder folder in which it was found
 * @param runId run id in its name, unchecked
 * @param path {@code <runId>.json}, or {@code <runId>.json.taken}
 * @param taken whether it was already renamed, possibly by an earlier runtime
 */
record ControlFile(ControlFolder folder, String runId, Path path, boolean taken) {
    /** Longest valid file. */
    static final int MOST_BYTES = 64 * 1024;

    /** Age up to which an invalid file may still be incomplete, or belong to another process. */
    static final Duration INCOMPLETE_FOR = Duration.ofSeconds(2);

    private static final String SUFFIX = ".json";
    private static final String TAKEN = SUFFIX + ".taken";

    /** Returns the control file at this path; empty when it is not one, such as a draft with a leading dot. */
    static Optional<ControlFile> named(ControlFolder folder, Path path) {
        String name = path.getFileName().toString();
        if (name.startsWith(".")) {
            return Optional.empty();
        }
        if (name.endsWith(TAKEN)) {
            return Optional.of(new ControlFile(folder, before(name, TAKEN), path, true));
        }
        return name.endsWith(SUFFIX)
                ? Optional.of(new ControlFile(folder, before(name, SUFFIX), path, false))
                : Optional.empty();
    }

    private static String before(String name, String suffix) {
        return name.substring(0, name.length() - suffix.length());
    }

    /** Whether the file was written so recently that it may still change. */
    boolean isYoung(Instant now) throws IOException {
        Instant written =
                Files.getLastModifiedTime(path, LinkOption.NOFOLLOW_LINKS).toInstant();
        return Duration.between(written, now).abs().compareTo(INCOMPLETE_FOR) < 0;
    }

    /** Whether the file appears to be incomplete. */
    boolean isUnfinished(Instant now) throws IOException {
        if (taken || !isYoung(now) || objection().isPresent()) {
            return false;
        }
        try {
            return StrictObject.tree(content(), "the file").isMissingNode();
        } catch (JsonProblem partial) {
            return true;
        }
    }

    /** Renames the file so that no other process takes it. */
    ControlFile take() throws IOException {
        if (taken) {
            return this;
        }
        Path own = path.resolveSibling(runId + TAKEN);
        Files.move(path, own, StandardCopyOption.ATOMIC_MOVE);
        return new ControlFile(folder, runId, own, true);
    }

    /** Reads the command. Fails with {@link JsonProblem} when it is malformed. */
    ControlCommand read() throws IOException {
        Optional<String> objection = objection();
        if (objection.isPresent()) {
            throw JsonProblem.at("the file", objection.get());
        }
        return ControlCommand.read(content());
    }

    /**
     * Returns why the file must not be read. Links are not followed and pipes not opened: their content was not written
     * here.
     */
    private Optional<String> objection() throws IOException {
        if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.of("is not a regular file");
        }
        if (LockedFiles.include(path)) {
            return Optional.of("is a file of Loopkeeper's event store");
        }
        return Files.size(path) > MOST_BYTES
                ? Optional.of("is longer than " + MOST_BYTES + " bytes")
                : Optional.empty();
    }

    private byte[] content() throws IOException {
        Set<OpenOption> options = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        try (InputStream bytes = Channels.newInputStream(Files.newByteChannel(path, options))) {
            return bytes.readNBytes(MOST_BYTES);
        } catch (AccessDeniedException refused) {
            throw JsonProblem.at(
                    "the file",
                    "cannot be read by user " + System.getProperty("user.name")
                            + "; make the file readable for that user");
        }
    }

    /** Removes the file once it was executed. */
    void remove() throws IOException {
        Files.deleteIfExists(path);
    }

    /** Moves the file aside and writes the reason into a file beside it. */
    Path reject(String reason) throws IOException {
        Path rejected = path.resolveSibling(runId + SUFFIX + ".rejected");
        Path text = path.resolveSibling(runId + SUFFIX + ".rejected.txt");
        // An existing file is deleted first: writing through a link would overwrite its target.
        Files.deleteIfExists(text);
        Files.write(
                text,
                (reason + "\n").getBytes(StandardCharsets.UTF_8),
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.WRITE);
        Files.move(path, rejected, StandardCopyOption.REPLACE_EXISTING);
        return rejected;
    }
}
