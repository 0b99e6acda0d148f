/**
 * Reads manifests strictly: text to document, document to records, every problem with position and remedy.
 *
 * <p>Belongs here: a reader for each part of a manifest, warnings, and upgrades of older documents. Does not: checks
 * that need files or programs ({@code submit}).
 */
@CheckReturnValue
package dev.loopkeeper.manifest.read;

import com.google.errorprone.annotations.CheckReturnValue;
