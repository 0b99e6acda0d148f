package dev.loopkeeper.gateway.access;

import dev.loopkeeper.gateway.http.Scope;
import dev.loopkeeper.step.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Tokens with their scopes, from a file of lines {@code <token> <scope>}. A token has at least 16 visible characters; a
 * scope is {@code read} or {@code control}, which includes read. Empty lines and lines that begin with {@code #} are
 * skipped. Only hashes are kept.
 */
final class Tokens {
    private static final int MAX_BYTES = 1 << 20;
    private static final String BYTE_ORDER_MARK = "\uFEFF";
    /** No token is required. */
    static final Tokens NONE = new Tokens(List.of());

    private static final Pattern LINE = Pattern.compile("(\\S{16,512})\\s+(read|control)");

    private final List<Entry> entries;

    private Tokens(List<Entry> entries) {
        this.entries = List.copyOf(entries);
    }

    private record Entry(String hash, Scope scope, Path file, int line) {}

    /** Reads the file. Blocks; fails with the number of an invalid line, never with its content. */
    static Tokens read(Path file) throws IOException {
        List<Entry> entries = new ArrayList<>();
        List<String> lines = content(file).lines().toList();
        for (int number = 1; number <= lines.size(); number++) {
            String line = lines.get(number - 1).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                Entry entry = entry(line, file, number);
                requireOneScope(entries, entry);
                entries.add(entry);
            }
        }
        if (entries.isEmpty()) {
            throw new IOException(file + " holds no token; write one line '<token> control'");
        }
        return new Tokens(entries);
    }

    private static void requireOneScope(List<Entry> known, Entry entry) throws IOException {
        for (Entry other : known) {
            if (other.hash().equals(entry.hash()) && other.scope() != entry.scope()) {
                throw new IOException("lines " + other.line() + " and " + entry.line() + " of " + entry.file()
                        + " give one token two scopes; keep one of them");
            }
        }
    }

    private static String content(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw new IOException("the token file " + file + " is a folder");
        }
        try (InputStream stream = Files.newInputStream(file)) {
            byte[] content = stream.readNBytes(MAX_BYTES + 1);
            if (content.length > MAX_BYTES) {
                throw new IOException("the token file " + file + " is larger than " + MAX_BYTES + " bytes");
            }
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(content))
                    .toString();
            return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
        }
    }

    private static Entry entry(String line, Path file, int number) throws IOException {
        var matcher = LINE.matcher(line);
        if (!matcher.matches()) {
            throw new IOException(
                    "line " + number + " of " + file + " is not '<token of 16 or more characters> <read or control>'");
        }
        return new Entry(
                Sha256.hex(matcher.group(1)), Scope.valueOf(matcher.group(2).toUpperCase(Locale.ROOT)), file, number);
    }

    boolean none() {
        return entries.isEmpty();
    }

    /** Returns the scope of this token; {@link Scope#OPEN} for an unknown one. Takes the same time for each token. */
    Scope scopeOf(String token) {
        String hash = Sha256.hex(token);
        Scope scope = Scope.OPEN;
        for (Entry entry : entries) {
            boolean same = MessageDigest.isEqual(bytes(entry.hash()), bytes(hash));
            scope = same && entry.scope().allows(scope) ? entry.scope() : scope;
        }
        return scope;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
