package dev.loopkeeper.contract.run;

import java.util.List;

/** Answer: a page of files; a page with fewer than requested is the last. */
public record RunFileList(List<RunFile> files) {
    public RunFileList {
        files = List.copyOf(files);
    }
}
