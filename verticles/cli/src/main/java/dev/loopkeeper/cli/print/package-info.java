/**
 * How things look on a terminal: colours, tables, one line of status, words for people.
 *
 * <p>Knows no server and no data folder.
 */
@CheckReturnValue
package dev.loopkeeper.cli.print;

import com.google.errorprone.annotations.CheckReturnValue;
