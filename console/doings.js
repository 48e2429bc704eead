// What an operator may do with an account. Everything is asked back, with a reason that is recorded.

import { accountPath, app } from './api.js';
import { dialog } from './dialog.js';
import { field, h, say } from './dom.js';
import { isAdmin, session } from './session.js';

const environment = () => session.environment;

function grant(account, content, done) {
  const names = content.entitlements.map((item) => item.id);
  const list = h('datalist', { id: 'entitlements' }, names.map((value) => h('option', { value })));
  dialog({
    title: 'Grant access', text: 'It begins now.', button: 'Grant',
    fields: [
      field('Entitlement', h('input', { name: 'entitlement', required: true, list: 'entitlements', value: names[0] ?? '', autocomplete: 'off' })), list,
      field('Until (UTC)', h('input', { name: 'until', type: 'datetime-local' }), 'For ever when empty.')],
    async send({ entitlement, until, reason }) {
      const end = until ? Date.parse(`${until}Z`) : undefined;
      const answer = await app('POST', accountPath(account, '/grants'), { environment: environment() }, { entitlement, until: end, reason });
      await done();
      return `Granted: ${answer.id}.`;
    },
  });
}

function revoke(id, done) {
  dialog({
    title: `Take back grant ${id}`, text: 'What it unlocks ends now, unless something else gives it, too.', button: 'Take back', isDangerous: true,
    async send({ reason }) {
      await app('DELETE', `/grants/${encodeURIComponent(id)}`, { environment: environment(), reason });
      await done();
      return 'Taken back.';
    },
  });
}

function transfer(account, done) {
  dialog({
    title: 'Move a purchase to this account', text: 'The account that has it now loses it; both get the event.', button: 'Move',
    fields: [field('Original transaction id', h('input', { name: 'id', required: true, maxlength: 64, autocomplete: 'off', spellcheck: 'false' }))],
    async send({ id, reason }) {
      await app('POST', accountPath(account, '/transfer'), { environment: environment(), reason }, { originalTransactionId: id.trim() });
      await done();
      return 'Moved.';
    },
  });
}

function reconcile(account, done) {
  dialog({
    title: 'Ask the App Store', text: 'Fetches what Apple knows of this account’s purchases.', button: 'Ask',
    async send({ reason }) {
      await app('POST', '/reconcile', { environment: environment(), account, reason });
      await done();
      return 'Asked.';
    },
  });
}

function erase(account, done) {
  dialog({
    title: 'Erase this account', button: 'Erase for good', isDangerous: true, confirm: account.slice(0, 8),
    text: 'Its view, the signed data and the link to the person are removed in every environment. What it owned stays locked. Nothing brings it back.',
    async send({ reason }) {
      await app('POST', accountPath(account, '/erase'), { reason });
      await done();
      return 'Erased.';
    },
  });
}

async function save(account) {
  const content = await app('GET', accountPath(account, '/export'));
  const address = URL.createObjectURL(new Blob([JSON.stringify(content, null, 2)], { type: 'application/json' }));
  h('a', { href: address, download: `${account}.json` }).click();
  URL.revokeObjectURL(address);
  say('The export is saved. It may name other accounts.');
}

/** The card of acts; `done` reloads the page. */
export function doings(account, content, canReconcile, done) {
  const grants = content.entitlements.flatMap((item) => item.candidates)
    .filter((item) => item.kind === 'grant' && ['active', 'upcoming'].includes(item.standing));
  const button = (label, act, kind = '') => h('button', { type: 'button', class: kind, onclick: act }, label);
  return h('section', { class: 'card' }, h('h2', {}, 'Do'),
    h('div', { class: 'row' },
      button('Grant…', () => grant(account, content, done)),
      grants.map((item) => button(`Take back ${item.id}…`, () => revoke(item.id, done))),
      isAdmin() && button('Move a purchase here…', () => transfer(account, done)),
      isAdmin() && canReconcile && button('Ask the App Store…', () => reconcile(account, done)),
      button('Export', () => save(account).catch((error) => say(error.message))),
      isAdmin() && button('Erase…', () => erase(account, done), 'danger')),
    !isAdmin() && h('p', { class: 'quiet' }, 'Your token is of scope support: moving and erasing need one of scope admin.'),
    h('p', {}, h('a', { href: `#/acts/${account}` }, 'What operators did to this account')));
}
