// The open questions of running steps, each with its choices as buttons.

import {html, nothing} from './lit-html.js';
import {repeat} from './directives/repeat.js';
import {act} from './act.js';
import {ago} from './format.js';

const answer = (page, run, ask, text) => text.trim() && act(page, run, ['asks', ask.askId], {answer: text});

const form = (page, run, ask) => html`
  ${ask.choices.length ? html`<p class="buttons">${ask.choices.map(choice => html`<button type="button" dir="auto"
    @click=${() => answer(page, run, ask, choice)}>${choice}</button>`)}</p>` : nothing}
  <form @submit=${event => {
    event.preventDefault();
    answer(page, run, ask, event.target.elements.answer.value);
  }}><div class="field"><label for=${ask.askId}>${ask.choices.length ? 'Another answer' : 'Answer'}</label>
    <textarea id=${ask.askId} name="answer" rows="2" required></textarea></div>
    <p class="buttons submit"><button class="main">Send the answer</button></p></form>`;

export const askCards = (page, run) => repeat(run.asks ?? [], ask => ask.askId, ask => html`
  <section class="card why ask" aria-label="Question of ${ask.stepId}">
    <h2>${ask.stepId} asks, ${ago(ask.since, page.now)}</h2>
    <p class="message" dir="auto">${ask.question}</p>
    ${page.canControl() ? form(page, run, ask)
      : html`<p class="hint">Your token has the scope read: it can view this question, not answer it.</p>`}
  </section>`);
