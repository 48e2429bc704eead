// The catalog in force, what it was before, and a change of it: compared first, then put into force.

import { app } from './api.js';
import { dialog } from './dialog.js';
import { h, say, table } from './dom.js';
import { time } from './format.js';
import { isAdmin, session } from './session.js';

const text = (value) => (value === null ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value));

function diff(changes) {
  if (!changes.length) return h('p', {}, 'Nothing differs.');
  return h('ul', { class: 'diff' }, changes.map(({ place, old, new: now }) => {
    const [sign, kind, word] = old === null ? ['+', 'added', 'added'] : now === null ? ['−', 'gone', 'removed'] : ['~', 'changed', 'changed'];
    return h('li', { class: kind },
      h('b', { 'aria-label': word }, sign), ' ', h('span', { class: 'id' }, place), ' ',
      old !== null && h('del', {}, text(old)), old !== null && now !== null && ' → ', now !== null && h('ins', {}, text(now)));
  }));
}

function products({ products: all }) {
  const row = ([id, product]) => [
    h('span', { class: 'id' }, id), product.type,
    product.credits ? `${product.credits.amount} ${product.credits.currency}` : (product.entitlements ?? []).join(', '),
    product.subscriptionGroup ? `${product.subscriptionGroup}, level ${product.level ?? 0}` : product.duration ?? ''];
  return table('Products', ['product', 'type', 'unlocks or credits', 'group or duration'], Object.entries(all).map(row));
}

function editor(current) {
  const area = h('textarea', { rows: 16, spellcheck: 'false', 'aria-label': 'Catalog as JSON', value: JSON.stringify(current, null, 2) });
  const result = h('div', { 'aria-live': 'polite' });
  const compare = async () => {
    result.replaceChildren();
    try {
      JSON.parse(area.value);
      const answer = await app('PUT', '/catalog', { dryRun: true }, area.value);
      result.append(h('h3', {}, 'What would change'), diff(answer.changes));
      if (answer.outcome !== 'duplicate') result.append(h('button', { type: 'button', class: 'primary', onclick: () => apply(area.value) }, 'Put into force…'));
    } catch (error) {
      result.append(h('p', { class: 'wrong', role: 'alert' }, error.message));
    }
  };
  const apply = (body) => dialog({
    title: 'Put the catalog into force', text: 'Every account’s answer follows it from now on; held polls are answered.', button: 'Put into force',
    async send({ reason }) {
      const answer = await app('PUT', '/catalog', { reason }, body);
      dispatchEvent(new HashChangeEvent('hashchange'));
      return `Revision ${answer.revision} is in force.`;
    },
  });
  return h('details', {}, h('summary', {}, h('h3', {}, 'Change it')), area,
    h('p', {}, h('button', { type: 'button', onclick: () => compare().then(() => say('Compared.')) }, 'Compare')), result);
}

/** The page of the catalog. */
export async function catalog(_, { before }) {
  const [{ revision, catalog: current }, past] = await Promise.all([
    app('GET', '/catalog'), app('GET', '/catalog/revisions', { before, limit: 20 })]);
  return [
    h('h1', {}, 'Catalog'),
    h('section', { class: 'card' },
      h('h2', {}, `In force: revision ${revision} of ${session.app}`), products(current),
      h('h3', {}, 'Policies'), h('dl', {}, Object.entries(current.policies).map(([name, value]) => [h('dt', {}, name), h('dd', {}, String(value))])),
      isAdmin() && editor(current)),
    h('section', { class: 'card' }, h('h2', {}, 'Revisions'),
      past.revisions.map((item) => h('article', {},
        h('h3', {}, `Revision ${item.revision}`, h('span', { class: 'note' }, ` ${time(item.recordedAt)}, ${item.actor}${item.reason && `: ${item.reason}`}`)),
        item.changes ? diff(item.changes) : h('p', { class: 'quiet' }, 'The first.'))),
      past.next && h('a', { href: `#/catalog?before=${past.next}` }, 'Earlier revisions'))];
}
