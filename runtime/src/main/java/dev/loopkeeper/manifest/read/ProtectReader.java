package dev.loopkeeper.manifest.read;

import dev.loopkeeper.step.Wording;
import java.util.List;
import java.util.regex.Pattern;

/** Reads the globs of protected files. Refuses those that would match nothing, since that would protect nothing. */
final class ProtectReader {
    /** Absolute, of a home folder, an exception, with an empty or a dot part, a line break or alternatives. */
    private static final Pattern UNUSABLE =
            Pattern.compile("(?s)[/~!].*|\\.\\./.*|.+/\\.{0,2}/.*|(.*/)?\\.{1,2}/?|.*[\\n{}\\\\].*");

    private ProtectReader() {}

    static List<String> read(DocumentNode node) {
        return node.elements().stream()
                .flatMap(element -> element
                        .text(
                                glob -> !UNUSABLE.matcher(glob).matches(),
                                glob ->
                                        "expected a path in the workspace with *, ** or ?, e.g. tests/** or **/*.snap, found "
                                                + Wording.quoted(glob))
                        .stream())
                .toList();
    }
}
