/**
 * What verbs work with: the server that they ask, the data folder that they own or read, and their answers.
 *
 * <p>Does not belong here: a verb, or anything that only one of them needs ({@code cli.verb}).
 */
@CheckReturnValue
package dev.loopkeeper.cli.session;

import com.google.errorprone.annotations.CheckReturnValue;
