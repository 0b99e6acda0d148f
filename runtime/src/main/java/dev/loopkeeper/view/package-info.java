/**
 * What people and programs see of runs: records with the names of the JSON of the API. Here belong their parts and what
 * can be told from one of them alone; not how they are gathered from a run's state and events, nor how they are written.
 */
@CheckReturnValue
package dev.loopkeeper.view;

import com.google.errorprone.annotations.CheckReturnValue;
