package dev.loopkeeper.process.tree;

import dev.loopkeeper.data.SmallFiles;
import java.io.IOException;
import java.nio.file.Path;

/** The real files, of which a test changes some. */
class ForwardedFiles implements SmallFiles {
    @Override
    public byte[] read(Path file) throws IOException {
        return REAL.read(file);
    }

    @Override
    public int read(String file, byte[] beginning) throws IOException {
        return REAL.read(file, beginning);
    }
}
