package dev.loopkeeper.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.json.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/** A bundle taken apart, changed, and put together again: entries by their names, in order. */
final class Bundles {
    private static final String MANIFEST = "manifest.json";

    final Map<String, String> entries = new LinkedHashMap<>();

    Bundles(Path file) throws IOException {
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(Files.readAllBytes(file)))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                entries.put(entry.getName(), new String(zip.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
    }

    ObjectNode manifest() throws IOException {
        return (ObjectNode) Json.MAPPER.readTree(entries.get(MANIFEST));
    }

    void manifest(ObjectNode changed) {
        entries.put(MANIFEST, changed.toString());
    }

    /** Lists what is there now, as an honest manifest would. */
    void rewriteList() throws IOException, NoSuchAlgorithmException {
        ObjectNode manifest = manifest();
        ArrayNode list = manifest.putArray("entries");
        for (Map.Entry<String, String> entry : entries.entrySet()) {
            if (!entry.getKey().equals(MANIFEST)) {
                byte[] bytes = entry.getValue().getBytes(StandardCharsets.UTF_8);
                String sum = HexFormat.of()
                        .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
                list.addObject()
                        .put("path", entry.getKey())
                        .put("bytes", bytes.length)
                        .put("sha256", sum);
            }
        }
        manifest(manifest);
    }

    void write(Path file) throws IOException {
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
            for (Map.Entry<String, String> entry : entries.entrySet()) {
                zip.putNextEntry(new ZipEntry(entry.getKey()));
                zip.write(entry.getValue().getBytes(StandardCharsets.UTF_8));
                zip.closeEntry();
            }
        }
    }
}
