/**
 * From a manifest file or document to a checked submission; nothing is started or written here.
 *
 * <p>Belongs here: checks that need files, folders and programs. Does not: what a manifest may say ({@code manifest.read}).
 */
@CheckReturnValue
package dev.loopkeeper.submit;

import com.google.errorprone.annotations.CheckReturnValue;
