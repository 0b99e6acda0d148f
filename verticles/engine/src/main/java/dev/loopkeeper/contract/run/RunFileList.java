package dev.loopkeeper.contract.run;

import java.util.List;

/** Answer: a page of files; fewer than were asked for are the last. */
public record RunFileList(List<RunFile> files) {
    /** Copies the list. */
    public RunFileList {
        files = List.copyOf(files);
    }
}
