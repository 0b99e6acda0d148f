/**
 * Output for people on a terminal: colours, tables, the footer, words.
 *
 * <p>Knows neither servers nor data folders.
 */
@CheckReturnValue
package dev.loopkeeper.cli.print;

import com.google.errorprone.annotations.CheckReturnValue;
