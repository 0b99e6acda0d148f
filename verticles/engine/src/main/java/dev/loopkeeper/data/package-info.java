/**
 * The files of a data folder beside the database: its lock, the owner's address, the folders of runs with their
 * {@code checkpoint.json}, and the files that only their owner may open. Does not belong here: code that knows events or
 * asks the store.
 */
@CheckReturnValue
package dev.loopkeeper.data;

import com.google.errorprone.annotations.CheckReturnValue;
