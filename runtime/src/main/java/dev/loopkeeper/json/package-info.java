/**
 * Reads and writes JSON: the mapper, a tree reader, a strict object reader, enum spellings and name suggestions.
 *
 * <p>Belongs here: JSON code that every package shares and that knows no domain type. Does not: the JSON form of domain
 * records ({@code checkpoint}).
 */
@CheckReturnValue
package dev.loopkeeper.json;

import com.google.errorprone.annotations.CheckReturnValue;
