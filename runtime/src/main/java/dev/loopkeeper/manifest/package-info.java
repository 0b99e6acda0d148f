/**
 * Describes a manifest as records with their defaults.
 *
 * <p>Belongs here: a record or enum for each part of a manifest, and the names that templates know. Does not: reading
 * and checking a document ({@code manifest.read}), rules ({@code rules}).
 */
@CheckReturnValue
package dev.loopkeeper.manifest;

import com.google.errorprone.annotations.CheckReturnValue;
