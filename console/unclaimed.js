// Purchases that nobody owns.

import { app } from './api.js';
import { dialog } from './dialog.js';
import { field, h, table } from './dom.js';
import { isAdmin, session } from './session.js';

function free() {
  dialog({
    title: 'Free a locked purchase', text: 'Its owner was erased. Once freed, the next who pushes it has it.', button: 'Free', isDangerous: true,
    fields: [field('Original transaction id', h('input', { name: 'id', required: true, maxlength: 64, autocomplete: 'off', spellcheck: 'false' }))],
    async send({ id, reason }) {
      await app('POST', `/lineages/${encodeURIComponent(id.trim())}/free`, { environment: session.environment, reason });
      return 'It may be claimed again.';
    },
  });
}

/** The page of unclaimed purchases; `after` in the address is the page to show. */
export async function unclaimed(_, { after }) {
  const page = await app('GET', '/unclaimed', { environment: session.environment, after, limit: 200 });
  return [
    h('h1', {}, 'Unclaimed purchases'),
    h('p', {}, `Purchases in ${session.environment} that belong to nobody: no token names a known account, and no device pushed them. They give nobody anything.`),
    h('section', { class: 'card' },
      page.unclaimed.length
        ? table('Unclaimed purchases', ['original transaction'], page.unclaimed.map((id) => [h('a', { class: 'id', href: `#/find/${id}` }, id)]))
        : h('p', {}, after ? 'There are no more.' : 'There are none.'),
      page.next && h('a', { href: `#/unclaimed?after=${encodeURIComponent(page.next)}` }, 'Next page')),
    isAdmin() && h('p', {}, h('button', { type: 'button', onclick: free }, 'Free a locked purchase…'))];
}
