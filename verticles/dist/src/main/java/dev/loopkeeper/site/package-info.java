/** Makes the documentation a site at build time; nothing of it is in what runs. */
package dev.loopkeeper.site;
