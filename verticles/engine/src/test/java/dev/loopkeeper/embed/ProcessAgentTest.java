package dev.loopkeeper.embed;

import dev.loopkeeper.handler.StepHandler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

class ProcessAgentTest extends AgentContract {
    @Override
    String entry(String name, String script, StepHandler handler, String more) throws IOException {
        Path file = workspace().resolve(name + ".sh");
        Files.writeString(file, "#!/bin/sh\n" + script + "\n");
        if (!file.toFile().setExecutable(true)) {
            throw new IOException("cannot make " + file + " executable");
        }
        return "command: [./" + name + ".sh], signal: .loopkeeper/" + name + ".json"
                + (more.isEmpty() ? "" : ", " + more);
    }
}
