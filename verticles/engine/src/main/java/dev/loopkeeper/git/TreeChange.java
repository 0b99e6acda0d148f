package dev.loopkeeper.git;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * A file of a commit that another commit or the index has otherwise.
 *
 * @param mode in the commit, e.g. {@code 100644}
 * @param hash in the commit
 * @param otherMode the mode of what the other has
 * @param status {@code A}, {@code D}, {@code M} or {@code T}
 * @param name as bytes, not to be changed
 */
@SuppressWarnings("ArrayRecordComponent")
public record TreeChange(String mode, String hash, String otherMode, String status, byte[] name) {
    private static final int SHA_1 = 40;
    private static final String SUBMODULE = "160000";
    private static final long MOST_BYTES = 64 << 20;

    /** Reads what {@code git diff-tree} or {@code diff-index} prints with {@code -z} and {@code --no-renames}. */
    public static List<TreeChange> read(GitAnswer answer) {
        List<byte[]> fields = answer.fields();
        List<TreeChange> changes = new ArrayList<>();
        for (int at = 0; at + 1 < fields.size(); at += 2) {
            // E.g. :100644 000000 HASH HASH D
            String[] parts = new String(fields.get(at), StandardCharsets.US_ASCII).split(" ", -1);
            changes.add(new TreeChange(parts[0].substring(1), parts[2], parts[1], parts[4], fields.get(at + 1)));
        }
        return changes;
    }

    /** Whether the other has a submodule there. */
    public boolean isToSubmodule() {
        return otherMode.equals(SUBMODULE);
    }

    /**
     * Whether this file is still as in the commit, byte for byte, so that only git has it otherwise; also a submodule that is
     * not there.
     */
    public boolean isHidden(Path file) throws IOException {
        if (mode.equals(SUBMODULE)) {
            return !Files.exists(file.resolve(".git"));
        }
        boolean link = Files.isSymbolicLink(file);
        if ((!link && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                || (!link && Files.size(file) > MOST_BYTES)) {
            return false;
        }
        boolean runs = !link && Files.getPosixFilePermissions(file).contains(PosixFilePermission.OWNER_EXECUTE);
        if (!mode.equals(link ? "120000" : runs ? "100755" : "100644")) {
            return false;
        }
        byte[] content = link
                ? Files.readSymbolicLink(file).toString().getBytes(StandardCharsets.UTF_8)
                : Files.readAllBytes(file);
        try {
            MessageDigest digest = MessageDigest.getInstance(hash.length() == SHA_1 ? "SHA-1" : "SHA-256");
            digest.update(("blob " + content.length + "\0").getBytes(StandardCharsets.US_ASCII));
            return HexFormat.of().formatHex(digest.digest(content)).equals(hash);
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException(missing);
        }
    }
}
