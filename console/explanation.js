// Why an account has what it has, in words: every conclusion with its rule and the event that said so.

import { BEGINS, interval, state, time, told } from './format.js';
import { h } from './dom.js';

function line(name, when, how, rule, by, kind = '') {
  return h('tr', { class: kind }, h('th', { scope: 'row' }, name), h('td', {}, when), h('td', {}, how), h('td', { class: 'rule' }, rule), h('td', { class: 'quiet' }, by));
}

function candidate(item, describedBy) {
  const [word, tone] = state(item.standing);
  const name = item.kind === 'grant' ? `grant ${item.id}` : item.productId || 'no product';
  const lines = item.intervals.length ? [line('begins', time(item.intervals[0][0]), BEGINS[item.beginsBy] ?? item.beginsBy, item.kind === 'grant' ? 'R4' : 'R2', told(item.toldBy))] : [];
  for (const end of item.ends) {
    lines.push(line(end.isDecisive ? 'ends' : 'else', time(end.at), end.phrase, end.rule, told(end.toldBy), end.isDecisive ? '' : 'quiet'));
  }
  if (item.intervals.length && !item.ends.some((end) => end.isDecisive)) lines.push(line('ends', 'never', '', 'R2', ''));
  for (const word of item.takenBack) {
    lines.push(line('no more', time(word.at), word.cause, 'R1', `${told(word.toldBy)}; taken back by ${told(word.takenBackBy)}`, 'quiet'));
  }
  return h('article', { class: 'candidate' },
    h('h4', {}, name, ' ', item.kind === 'transaction' && h('span', { class: 'id quiet' }, item.id), ' ',
      h('span', { class: `pill ${tone}` }, word), item.id === describedBy && h('span', { class: 'note' }, ' describes it')),
    item.nothingPhrase && h('p', {}, `It gives nothing: ${item.nothingPhrase}.`),
    lines.length > 0 && h('div', { class: 'scroll' }, h('table', { class: 'lines' }, h('caption', { class: 'unseen' }, `Begin and end of ${name} ${item.id}`), h('tbody', {}, lines))));
}

function entitlement(reasons) {
  return h('details', { open: true },
    h('summary', {}, h('h3', {}, reasons.id), ' ', h('span', { class: 'quiet' }, state(reasons.state)[0])),
    h('p', {}, reasons.headline),
    h('dl', {},
      reasons.intervals.length > 0 && [h('dt', {}, 'access'), h('dd', {}, reasons.intervals.map((item) => h('div', {}, interval(item))))],
      reasons.next && [h('dt', {}, 'next'), h('dd', {}, `${time(reasons.next.at)}: ${reasons.next.isActiveAfter ? 'still active' : 'not active'} (${state(reasons.next.stateAfter)[0]})`)],
      reasons.describesPhrase && [h('dt', {}, 'described by'), h('dd', {}, `${reasons.describedBy}: ${reasons.describesPhrase}`)],
      reasons.possible.length > 0 && [h('dt', {}, 'if'), h('dd', {}, reasons.possible.map((item) => h('div', {}, `${item.subject}: ${item.effect}`)))]),
    reasons.candidates.map((item) => candidate(item, reasons.describedBy)));
}

/** The card of an explanation. */
export function explanation(content) {
  const cards = content.entitlements.map(entitlement);
  if (content.others.length) {
    cards.push(h('details', {}, h('summary', {}, h('h3', {}, 'Transactions that unlock nothing'), ' ', h('span', { class: 'quiet' }, content.others.length)),
      content.others.map((item) => candidate(item))));
  }
  if (!cards.length) return null;
  return h('section', { class: 'card' }, h('h2', {}, 'Why'),
    h('p', { class: 'quiet' }, 'R1 to R11 are the rules of the concepts page. A grantor that ends ends no other.'), cards);
}
