// What operators did: who, when, what, why.

import { app } from './api.js';
import { h, table } from './dom.js';
import { short, time } from './format.js';

/** The page of acts, of all accounts or of one. */
export async function acts(account, { before }) {
  const page = await app('GET', '/audit', { account, before, limit: 100 });
  const row = (act) => [
    time(act.at), [act.actor, h('div', { class: 'quiet' }, act.scope)],
    [act.act, h('div', { class: 'id quiet' }, act.subject)],
    act.account ? h('a', { class: 'id', href: `#/account/${act.account}${act.environment ? `?environment=${act.environment}` : ''}` }, account ? short(act.account) : act.account) : '–',
    act.reason || '–',
    act.outcome === 'done' ? 'done' : act.outcome === null ? 'not known' : h('span', { class: 'pill warn' }, act.outcome)];
  return [
    h('h1', {}, 'Acts of operators'),
    account && h('p', {}, 'Upon ', h('a', { class: 'id', href: `#/account/${account}` }, account), '. ', h('a', { href: '#/acts' }, 'Show all')),
    h('section', { class: 'card' },
      page.acts.length
        ? table('Acts', ['when (UTC)', 'who', 'what', 'account', 'why', 'outcome'], page.acts.map(row))
        : h('p', {}, 'Nothing was done.'),
      page.next && h('a', { href: `#/acts${account && `/${account}`}?before=${page.next}` }, 'Earlier'))];
}
