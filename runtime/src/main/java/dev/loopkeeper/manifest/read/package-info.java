/**
 * Reads manifests, strictly: text to document, document to records, and every problem with its place and remedy.
 *
 * <p>Belongs here: one reader for each part of a manifest, warnings, and the upgrade of documents that an earlier
 * version accepted. Does not: checks that need files or programs (they act, in {@code submit}).
 */
@CheckReturnValue
package dev.loopkeeper.manifest.read;

import com.google.errorprone.annotations.CheckReturnValue;
