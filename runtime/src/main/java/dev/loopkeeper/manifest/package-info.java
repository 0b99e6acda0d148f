/**
 * What a manifest says, as records with their defaults.
 *
 * <p>Belongs here: one record or enumeration for each part of a manifest, and names that templates know. Does not:
 * how a document is read and what is wrong with it ({@code manifest.read}), what follows from it ({@code rules}).
 */
@CheckReturnValue
package dev.loopkeeper.manifest;

import com.google.errorprone.annotations.CheckReturnValue;
