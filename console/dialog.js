// Asks before something is done: what, to whom, why.

import { Refusal } from './api.js';
import { field, h, say } from './dom.js';

/**
 * Opens a dialog. `fields` are elements with a `name`; `send` gets their values and the reason, and returns when it is done.
 * `confirm` must be typed as it is where nothing can be taken back.
 */
export function dialog({ title, text, fields = [], button, confirm, isDangerous = false, send }) {
  const wrong = h('p', { class: 'wrong', role: 'alert' });
  const reason = h('input', { name: 'reason', required: true, maxlength: 300, autocomplete: 'off' });
  const typed = confirm && h('input', { name: 'confirm', required: true, autocomplete: 'off', spellcheck: 'false' });
  const submit = h('button', { type: 'submit', class: isDangerous ? 'danger' : 'primary' }, button);
  const form = h('form', { method: 'dialog' },
    h('h2', {}, title), text && h('p', {}, text), fields,
    field('Reason', reason, 'It is recorded with your name.'),
    typed && field(`Type ${confirm} to confirm`, typed), wrong,
    h('div', { class: 'row end' }, h('button', { type: 'button', onclick: () => box.close() }, 'Cancel'), submit));
  const box = h('dialog', { 'aria-label': title }, form);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (typed && typed.value.trim() !== confirm) {
      wrong.textContent = `Type ${confirm}: nothing was done.`;
      return typed.focus();
    }
    submit.disabled = true;
    wrong.textContent = '';
    try {
      say(await send(Object.fromEntries(new FormData(form))) ?? `${title}: done.`);
      box.close();
    } catch (error) {
      wrong.textContent = error instanceof Refusal ? `${error.message} (${error.code})` : error.message;
      submit.disabled = false;
    }
  });
  const opener = document.activeElement;
  box.addEventListener('close', () => {
    box.remove();
    // What opened it may be gone with what was done.
    (opener?.isConnected ? opener : document.getElementById('main')).focus();
  });
  document.body.append(box);
  box.showModal();
}
