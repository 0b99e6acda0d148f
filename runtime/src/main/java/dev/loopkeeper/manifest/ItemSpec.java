package dev.loopkeeper.manifest;

import java.util.List;
import java.util.Map;

/**
 * A work item of an {@code each} phase.
 *
 * @param id {@code [A-Za-z0-9][A-Za-z0-9._-]*}, at most 64 characters, e.g. {@code f1}
 * @param dependsOn ids of items that must end approved before this one is launched
 * @param vars values for prompt templates, overriding those of the run
 */
public record ItemSpec(String id, List<String> dependsOn, Map<String, String> vars) {}
