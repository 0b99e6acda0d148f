package dev.loopkeeper.data;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The folder {@code .loopkeeper} of a workspace. Blocking. */
public final class OwnFolder {
    public static final String NAME = ".loopkeeper";

    private static final Logger LOG = LoggerFactory.getLogger(OwnFolder.class);

    private OwnFolder() {}

    /** Keeps agents that commit from adding this folder. A {@code .gitignore} that exists stays as it is. */
    public static void ignore(Path own, Path workspace) {
        try {
            if (Files.isDirectory(own) && own.toRealPath().startsWith(workspace)) {
                Files.writeString(own.resolve(".gitignore"), "*\n", StandardOpenOption.CREATE_NEW);
            }
        } catch (FileAlreadyExistsException known) {
            return;
        } catch (IOException refused) {
            LOG.debug(
                    "no .gitignore could be written to {}, so agents may commit its files: {}",
                    own,
                    refused.toString());
        }
    }
}
