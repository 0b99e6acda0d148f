/**
 * The bottom: the one JSON dialect, its tree reader, one strict reader of objects, the spelling of enums, the nearest
 * known name of an unknown one.
 *
 * <p>Belongs here: what every other room needs to read or write JSON and that knows no word of the product. Does not:
 * the form of any record of ours ({@code checkpoint}).
 */
@CheckReturnValue
package dev.loopkeeper.json;

import com.google.errorprone.annotations.CheckReturnValue;
