package dev.loopkeeper.gateway.access;

import dev.loopkeeper.gateway.http.Scope;
import dev.loopkeeper.run.Requester;
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
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Tokens with their scopes, from a file of lines {@code <token> <scope> [<name>]}. A token has at least 16 visible
 * characters; a scope is {@code read} or {@code control}, which includes read; a name says who has the token. Empty lines and lines that begin with {@code #} are
 * skipped. Only hashes are kept.
 */
final class Tokens {
    private static final int MAX_BYTES = 1 << 20;
    private static final String BYTE_ORDER_MARK = "\uFEFF";
    /** No token is required. */
    static final Tokens NONE = new Tokens(List.of());

    private static final Pattern LINE =
            Pattern.compile("(\\S{16,512})\\s+(read|control)(?:\\s+([A-Za-z0-9][A-Za-z0-9._@-]{0,63}))?");

    private final List<Entry> entries;

    private Tokens(List<Entry> entries) {
        this.entries = List.copyOf(entries);
    }

    /** Names that events use for others. */
    private static final Set<String> RESERVED = Set.of(Requester.LOCAL, Requester.CONTROL, Requester.LINK);

    private record Entry(String hash, Grant grant, Path file, int line) {}

    /**
     * What a token permits, and to whom.
     *
     * @param by its name, as events record it
     */
    record Grant(Scope scope, String by) {
        static final Grant NONE = new Grant(Scope.OPEN, "");
    }

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
            if (other.hash().equals(entry.hash()) && !other.grant().equals(entry.grant())) {
                throw new IOException("lines " + other.line() + " and " + entry.line() + " of " + entry.file()
                        + " give one token two scopes or names; keep one of them");
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
        String name = matcher.matches() && matcher.group(3) != null ? matcher.group(3) : "";
        if (!matcher.matches() || RESERVED.contains(name)) {
            throw new IOException("line " + number + " of " + file
                    + " is not '<token of 16 or more characters> <read or control> [<name>]'");
        }
        return new Entry(
                Sha256.hex(matcher.group(1)),
                new Grant(
                        Scope.valueOf(matcher.group(2).toUpperCase(Locale.ROOT)),
                        name.isEmpty() ? Requester.CONTROL : name),
                file,
                number);
    }

    boolean none() {
        return entries.isEmpty();
    }

    /** Returns what this token permits; {@link Grant#NONE} for an unknown one. Takes the same time for each token. */
    Grant of(String token) {
        String hash = Sha256.hex(token);
        Grant grant = Grant.NONE;
        for (Entry entry : entries) {
            boolean same = MessageDigest.isEqual(bytes(entry.hash()), bytes(hash));
            grant = same ? entry.grant() : grant;
        }
        return grant;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
