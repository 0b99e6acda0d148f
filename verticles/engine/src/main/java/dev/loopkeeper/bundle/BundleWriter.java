package dev.loopkeeper.bundle;

import dev.loopkeeper.data.AtomicFile;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.step.Sha256;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.DigestOutputStream;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Writes the entries of one bundle, the manifest last, since it lists all others. Blocks. */
final class BundleWriter {
    private final ZipOutputStream zip;
    private final List<BundleManifest.Entry> entries = new ArrayList<>();

    /** @param out stays open */
    BundleWriter(OutputStream out) {
        this.zip = new ZipOutputStream(out, StandardCharsets.UTF_8);
    }

    void add(String name, AtomicFile.Content content) throws IOException {
        ZipEntry entry = new ZipEntry(name);
        zip.putNextEntry(entry);
        DigestOutputStream digest = new DigestOutputStream(zip, Sha256.digest());
        content.writeTo(digest);
        digest.flush();
        zip.closeEntry();
        String sum = HexFormat.of().formatHex(digest.getMessageDigest().digest());
        entries.add(new BundleManifest.Entry(name, entry.getSize(), sum));
    }

    static void line(OutputStream out, String line) throws IOException {
        out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    List<BundleManifest.Entry> entries() {
        return List.copyOf(entries);
    }

    /** Ends the bundle. */
    void finish(BundleManifest manifest) throws IOException {
        zip.putNextEntry(new ZipEntry(BundleManifest.NAME));
        zip.write(Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(manifest));
        zip.closeEntry();
        zip.finish();
    }
}
