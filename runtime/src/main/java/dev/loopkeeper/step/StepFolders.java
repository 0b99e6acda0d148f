package dev.loopkeeper.step;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Optional;

/**
 * The folders in which a step works.
 *
 * @param workspace absolute path of the working directory
 * @param baseDir absolute path of the manifest's folder, against which the prompt is resolved
 * @param worktree replaces the workspace; absent without isolation
 */
@RecordBuilder
public record StepFolders(String workspace, String baseDir, Optional<StepWorktree> worktree)
        implements StepFoldersBuilder.With {}
