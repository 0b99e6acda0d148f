package dev.loopkeeper.cli.command.admin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.loopkeeper.cli.command.FactsCommand;
import picocli.CommandLine.Command;

/** The command {@code loopkeeper policy}. */
@Command(name = "policy", description = "Print the policy that holds across runs, as a file for apply.")
public final class PolicyCommand extends FactsCommand {
    @Override
    public Integer call() {
        return withFacts(facts -> {
            JsonNode policy = facts.policy().document();
            print(policy, () -> print(yaml(policy)));
        });
    }

    private static String yaml(JsonNode policy) {
        try {
            return YAMLMapper.builder()
                    .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                    .disable(YAMLGenerator.Feature.SPLIT_LINES)
                    .build()
                    .writeValueAsString(policy)
                    .stripTrailing();
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
