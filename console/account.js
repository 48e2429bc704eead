// One account: what it has, why, what happened, and what may be done.

import { accountPath, app, serves } from './api.js';
import { explanation } from './explanation.js';
import { OWNS, short, span, state, time, told } from './format.js';
import { h, say, table } from './dom.js';
import { doings } from './doings.js';
import { session } from './session.js';
import { timeline } from './timeline.js';
import { travel } from './travel.js';

const PAGE = 200;

function title(account, snapshot) {
  const copy = async () => {
    await navigator.clipboard?.writeText(account);
    say('The account id is copied.');
  };
  return h('div', { class: 'title' },
    h('h1', {}, h('span', { class: 'quiet' }, 'Account '), h('span', { class: 'id' }, account)),
    h('button', { type: 'button', class: 'flat', onclick: copy }, 'Copy'),
    h('span', { class: 'quiet' }, `${snapshot.environment} · version ${snapshot.version}`));
}

function entitlement(reasons) {
  const [word, tone] = state(reasons.state);
  return h('li', {}, h('span', { class: `pill ${tone}` }, reasons.isActive && word === 'active' ? 'active' : word),
    h('span', {}, reasons.headline));
}

function summary(content) {
  const { snapshot } = content;
  const balances = Object.entries(snapshot.balances);
  return h('section', { class: 'card', 'aria-label': 'What the account has' },
    content.entitlements.length
      ? h('ul', { class: 'answers' }, content.entitlements.map(entitlement))
      : h('p', {}, snapshot.version ? 'Nothing of this account ever granted anything.' : `This account has no events in ${snapshot.environment}.`),
    balances.length > 0 && h('p', {}, balances.map(([name, amount]) => h('span', { class: 'balance' }, h('b', {}, amount), ` ${name}`))),
    content.erasedAt !== null && h('p', { class: 'quiet' }, `Erased ${time(content.erasedAt)}; what was before is gone.`),
    snapshot.needsReconciliation && h('p', { class: 'quiet' }, 'Something is not known: the App Store should be asked.'),
    snapshot.nextChangeAt !== null && h('p', { class: 'quiet' }, `Changes by itself next: ${time(snapshot.nextChangeAt)} UTC.`));
}

function what(entry) {
  const parts = [entry.type.replaceAll('_', ' ')];
  if (entry.entitlement) parts.push(entry.entitlement);
  if (entry.transferredFrom) parts.push(`from ${short(entry.transferredFrom)}`);
  if (entry.transferredTo) parts.push(`to ${short(entry.transferredTo)}`);
  for (const line of entry.balanceChanges ?? []) parts.push(`${line.change > 0 ? '+' : ''}${line.change} ${line.currency} = ${line.balance}`);
  return parts.join(' · ');
}

function history(entries, next, look, more) {
  const row = (entry) => [
    entry.version, time(entry.effectiveAt),
    entry.learnedAt - entry.effectiveAt < 1000 ? 'at once' : `+${span(entry.learnedAt - entry.effectiveAt)}`,
    [what(entry), entry.isOutdated && h('span', { class: 'quiet' }, ' (outdated: changed nothing)')],
    [entry.productId, h('div', { class: 'id quiet' }, entry.transactionId ?? entry.grantId ?? '')],
    [entry.notificationType ?? entry.source, entry.reason && h('div', { class: 'quiet' }, entry.reason)],
    h('button', { type: 'button', class: 'flat', title: 'What was known and answered just before it', onclick: () => look(entry.recordedAt - 1) }, 'before'),
    h('button', { type: 'button', class: 'flat', title: 'What was known and answered just after it', onclick: () => look(entry.recordedAt) }, 'after'),
  ];
  return h('section', { class: 'card' }, h('h2', {}, 'History'),
    h('p', { class: 'quiet' }, 'In the order it was learned. “before” and “after” show what the service said at that moment.'),
    table('History', ['#', 'happened (UTC)', 'learned', 'what', 'product', 'how we know', '', ''], [...entries].reverse().map(row)),
    next !== null && h('button', { type: 'button', onclick: more }, 'Show later events'));
}

function ownership(lineages) {
  if (!lineages.length) return null;
  return h('section', { class: 'card' }, h('h2', {}, 'Whose it is'),
    table('Whose each purchase is', ['purchase', 'from', 'account', 'how', 'told by'], lineages.flatMap((lineage) => lineage.owners.map((owner) => [
      h('span', { class: 'id' }, lineage.originalTransactionId), owner.from === null ? 'the beginning' : time(owner.from),
      owner.account === null ? 'nobody' : h('a', { class: 'id', href: `#/account/${owner.account}?environment=${session.environment}` }, owner.account),
      OWNS[owner.cause] ?? owner.cause, told(owner.toldBy)]))));
}

function ledger(balances) {
  if (!balances.length) return null;
  return h('section', { class: 'card' }, h('h2', {}, 'Balances'), balances.map((balance) => [
    h('h3', {}, `${balance.amount} ${balance.currency}`, balance.shortfall > 0 && ` (${balance.shortfall} short)`),
    table(`Ledger of ${balance.currency}`, ['when (UTC)', 'change', 'balance', 'cause', 'of'], balance.lines.map((line) => [
      time(line.recordedAt), line.change, line.balance, line.cause, h('span', { class: 'id' }, line.transactionId ?? line.idempotencyKey ?? '')]))]));
}

/** The page of an account; `at` and `knownAt` in the address make it a page about the past that can be sent to somebody. */
export async function account(id, query, onLeave) {
  const { environment } = session;
  const read = (point) => app('GET', accountPath(id, '/explain'), { environment, at: point.at, knownAt: point.knownAt });
  const point = { at: query.at, knownAt: query.knownAt };
  let [content, past] = await Promise.all([read(point), app('GET', accountPath(id, '/history'), { environment, limit: PAGE })]);
  const canReconcile = await serves('post', '/reconcile');
  const entries = past.history;
  let { next } = past;

  const place = h('div', { class: 'stack' });
  // Each is filled anew when the moment changes; the sliders stay where they are, and keep the focus.
  const [head, answer] = [h('div'), h('div')];
  const rest = h('div', { class: 'stack' });
  const draw = () => timeline(content, Math.max(300, Math.floor(place.clientWidth || 900) - 34), Date.now());
  const picture = h('section', { class: 'card', 'aria-label': 'Timeline' });
  const redraw = () => picture.replaceChildren(content.entitlements.length ? draw() : h('p', { class: 'quiet' }, 'There is nothing to draw.'));
  const watcher = new ResizeObserver(redraw);
  onLeave(() => watcher.disconnect());

  let turn = 0;
  const move = async (to) => {
    const mine = ++turn;
    const words = new URLSearchParams({ environment, ...Object.fromEntries(Object.entries(to).filter(([, value]) => value !== undefined)) });
    // The address tells the moment, so that the page can be sent to somebody.
    window.history.replaceState(null, '', `#/account/${id}?${words}`);
    const then = await read(to);
    if (mine !== turn) return;
    content = then;
    show();
  };
  const { element: sliders, set } = travel(entries, content, point, move);
  const look = (moment) => { set({ at: moment, knownAt: moment }); scrollTo({ top: 0 }); sliders.querySelector('input').focus(); };
  const more = async () => {
    const page = await app('GET', accountPath(id, '/history'), { environment, after: next, limit: PAGE });
    entries.push(...page.history);
    next = page.next;
    show();
  };
  const show = () => {
    redraw();
    head.replaceChildren(title(id, content.snapshot));
    answer.replaceChildren(summary(content));
    rest.replaceChildren(...[
      doings(id, content, canReconcile, reload),
      explanation(content), history(entries, next, look, more), ownership(content.lineages), ledger(content.balances)].flat().filter(Boolean));
  };
  const reload = async () => {
    const page = await app('GET', accountPath(id, '/history'), { environment, after: entries.at(-1)?.version ?? 0, limit: PAGE });
    entries.push(...page.history);
    set({});
  };
  place.append(head, sliders, answer, picture, rest);
  show();
  watcher.observe(place);
  return place;
}
