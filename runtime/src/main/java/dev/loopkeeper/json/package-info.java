/** What every reader of JSON and YAML needs. Knows nothing of runs. */
@CheckReturnValue
package dev.loopkeeper.json;

import com.google.errorprone.annotations.CheckReturnValue;
