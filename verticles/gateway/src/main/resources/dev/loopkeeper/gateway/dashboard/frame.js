// What is around a view: the bar with the state of the connection, and the form to sign in.

import {html, nothing} from './lit-html.js';
import {signIn, token} from './api.js';
import {now} from './clock.js';
import {helpDialog} from './dialogs.js';
import {clock, duration} from './format.js';

const connectionLine = page => {
  const {state, since, text} = page.connection;
  if (state === 'live') return html`<span class="good">● live</span>`;
  if (state === 'connecting') return html`<span>◌ connecting</span>`;
  if (state === 'signIn') return html`<span class="slow">◌ signed out</span>`;
  return html`<span class="bad">◌ lost ${duration(now() - since)}, showing <time datetime=${new Date(since).toISOString()}>${clock(since)}</time></span>
    <span class="unseen">${text}</span> <button id="retry" @click=${() => page.retry()}>Retry</button>`;
};

const canNotify = () => 'Notification' in window && Notification.permission === 'default';
const askToNotify = async page => {
  await Notification.requestPermission();
  page.changed();
};

/** What stands above each view. */
export const top = page => html`<a class="skip" href="#main" @click=${event => {
    event.preventDefault();
    document.getElementById('main').focus();
  }}>To the content</a>
  <header class="top"><p class="brand"><a href="#/">Loopkeeper</a></p>
    <p id="connection">${connectionLine(page)}</p>
    <nav aria-label="Main"><ul class="filters"><li><a href="#/" aria-current=${page.route.view === 'runs' ? 'page' : 'false'}>Runs</a></li>
      <li><a id="processes-link" href="#/processes" aria-current=${page.route.view === 'processes' ? 'page' : 'false'}>Processes</a></li>
      <li><a id="policy-link" href="#/policy" aria-current=${page.route.view === 'policy' ? 'page' : 'false'}>Policy</a></li>
      <li><a id="new" href="#/new" aria-current=${page.route.view === 'new' ? 'page' : 'false'}>New run</a></li></ul></nav>
    <p class="tools">${canNotify() ? html`<button id="notify" @click=${() => askToNotify(page)}>Notify me</button> ` : nothing}<button id="theme" aria-label="Light or dark" @click=${page.switchTheme}>◐</button>
      <button id="help" aria-label="Keys" @click=${() => helpDialog(page)}>?</button>
      ${token() ? html`<button id="sign-out" @click=${page.leave}>Sign out</button>` : nothing}</p></header>
  ${page.connection.state === 'lost' ? html`<p class="notice lost" id="lost">The server does not answer. This page shows the state of ${
    clock(page.connection.since)}; the page is updated when the server is back.</p>` : nothing}
  ${page.updated ? html`<p class="notice" id="updated" role="status">Loopkeeper was updated; this page is still the old version.
    <button class="main" @click=${() => location.reload()}>Reload</button></p>` : nothing}
  ${page.notice ? html`<p class="notice" role="status">${page.notice} <button class="plain" aria-label="Close the notice" @click=${() => {
    page.notice = null;
    page.changed();
  }}>×</button></p>` : nothing}`;

/** All that the page shows without a token. */
export const signInView = page => html`<form class="card" id="sign-in" @submit=${event => {
    event.preventDefault();
    signIn(document.getElementById('token').value.trim());
    page.connection = {...page.connection, state: 'connecting'};
    page.loadSession();
    page.changed();
    page.retry();
  }}><h1>Sign in to Loopkeeper</h1><p>This server requires a token. It stays in this tab until you sign out or close it.</p>
  ${token() ? html`<p class="problem" role="alert">The server does not accept this token.</p>` : nothing}
  <div class="field"><label for="token">Token</label><input id="token" type="password" autocomplete="off" required></div>
  <p class="buttons"><button class="main">Sign in</button></p></form>`;
