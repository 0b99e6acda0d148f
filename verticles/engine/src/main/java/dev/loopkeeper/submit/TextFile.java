package dev.loopkeeper.submit;

import dev.loopkeeper.data.LockedFiles;
import dev.loopkeeper.manifest.ManifestFile;
import dev.loopkeeper.manifest.read.DocumentReading;
import dev.loopkeeper.manifest.read.ManifestProblem;
import dev.loopkeeper.manifest.read.ManifestText;
import dev.loopkeeper.step.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.Function;

/** Reads a YAML or JSON file, and refuses an unusable one with the reason. */
public final class TextFile {
    /** No character of UTF-8 is longer than four bytes. */
    private static final int MAX_BYTES = 4 * ManifestText.MAX_CHARS;

    private TextFile() {}

    /** Reads a manifest or another strict document; problems name the file. */
    public static DocumentReading readDocument(Path file) {
        return read(file, ManifestText::parse, TextFile::unreadable);
    }

    /** The same; {@code sum} receives the SHA-256 of what was read. */
    static DocumentReading readDocument(Path file, Consumer<String> sum) {
        return read(
                file,
                text -> {
                    sum.accept(Sha256.hex(text));
                    return ManifestText.parse(text);
                },
                TextFile::unreadable);
    }

    /** Whether the file from which a run was submitted has another content now; false if it cannot be read here. */
    public static boolean isChanged(ManifestFile file) {
        try {
            return read(Path.of(file.path()), text -> !file.sha256().equals(Sha256.hex(text)), refusal -> false);
        } catch (InvalidPathException notOfThisMachine) {
            return false;
        }
    }

    /** A file that a manifest names: its positions say so. */
    static DocumentReading readItems(Path file) {
        return read(file, text -> ManifestText.parse(text, file.toString()), TextFile::unreadable);
    }

    private static <T> T read(Path file, Function<String, T> use, Function<String, T> refuse) {
        if (!Files.exists(file)) {
            return refuse.apply("there is no file " + file);
        }
        if (!Files.isRegularFile(file)) {
            return refuse.apply(file + (Files.isDirectory(file) ? " is a folder" : " is not a regular file")
                    + "; name a YAML or JSON file");
        }
        if (LockedFiles.include(file)) {
            return refuse.apply(file + " belongs to Loopkeeper's event store; name a YAML or JSON file");
        }
        try (InputStream stream = Files.newInputStream(file)) {
            byte[] content = stream.readNBytes(MAX_BYTES + 1);
            return content.length > MAX_BYTES
                    ? refuse.apply(file + " is larger than " + MAX_BYTES + " bytes")
                    : use.apply(StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(content))
                            .toString());
        } catch (CharacterCodingException notUtf8) {
            return refuse.apply(file + " is not UTF-8; save it as UTF-8");
        } catch (IOException broken) {
            return refuse.apply(file + " cannot be read (" + broken.getClass().getSimpleName() + ")");
        }
    }

    private static DocumentReading unreadable(String message) {
        return new DocumentReading.Unreadable(ManifestProblem.at("", message));
    }
}
