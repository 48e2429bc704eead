// Finds an account by any id, in every environment.

import { app } from './api.js';
import { h, table } from './dom.js';
import { session } from './session.js';

const link = (item, id = item.account) => h('a', { class: 'id', href: `#/account/${item.account}?environment=${item.environment}` }, id);

function hint() {
  return [
    h('h1', {}, 'Find an account'),
    h('p', {}, 'Type an id above: of an account, a transaction, an original transaction, or a grant. Every environment is searched.'),
    h('p', { class: 'quiet' }, 'Customers find a transaction id in nothing that they see; the order number of Apple’s receipt is another one. ',
      'Ask the app: it knows its account.')];
}

/** The page of a search. One account alone is opened at once. */
export async function find(id) {
  if (!id) return hint();
  const found = await app('GET', '/accounts', { id });
  const accounts = new Set(found.accounts.map((item) => `${item.account} ${item.environment}`));
  if (accounts.size === 1 && found.purchases.every((purchase) => purchase.accounts.length)) {
    const [only] = found.accounts;
    location.replace(`#/account/${only.account}?environment=${only.environment}`);
    return h('p', {}, 'Opening the account…');
  }
  const isNothing = !found.accounts.length && !found.purchases.length;
  return [
    h('h1', {}, `Found for ${id}`),
    isNothing && h('section', { class: 'card' },
      h('p', {}, `Nothing of this id is known to ${session.app}.`),
      h('p', { class: 'quiet' }, 'The app may not have pushed it yet, and Apple may not have told of it.')),
    found.accounts.length > 0 && h('section', { class: 'card' }, h('h2', {}, 'Accounts'),
      table('Accounts', ['account', 'environment', 'events'],
        found.accounts.map((item) => [link(item), item.environment, item.version]))),
    found.purchases.length > 0 && h('section', { class: 'card' }, h('h2', {}, 'Purchases'),
      table('Purchases', ['original transaction', 'environment', 'accounts that own it or did'],
        found.purchases.map((item) => [
          h('span', { class: 'id' }, item.originalTransactionId), item.environment,
          item.accounts.length
            ? item.accounts.map((account) => h('div', {}, link({ ...item, account })))
            : item.isLocked ? 'locked: its owner was erased' : 'nobody: unclaimed'])))];
}
