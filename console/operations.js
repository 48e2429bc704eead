// The service's numbers of this moment, and where its longer works are seen.

import { get, serves } from './api.js';
import { h, s, table } from './dom.js';
import { quantile, read, sum } from './metrics.js';

const EVERY = 3000;
const KEPT = 60;

const whole = (number) => (number >= 100 ? Math.round(number) : Math.round(number * 10) / 10).toLocaleString('en');
const duration = (seconds) => (seconds === undefined ? '–' : seconds === Infinity ? '> 4 min' : seconds < 1 ? `≤ ${seconds * 1000} ms` : `≤ ${seconds} s`);

function spark(values) {
  const top = Math.max(1e-9, ...values);
  const points = values.map((value, index) => `${index * 120 / (KEPT - 1)},${28 - value / top * 26}`).join(' ');
  return s('svg', { class: 'spark', viewBox: '0 0 120 30', 'aria-hidden': 'true', preserveAspectRatio: 'none' }, s('polyline', { points }));
}

/** What is shown: of two readings some seconds apart. */
function numbers(before, after, seconds) {
  const rate = (name, fits) => Math.max(0, sum(after, name, fits) - sum(before, name, fits)) / seconds;
  const appends = rate('entitled_append_duration_seconds_count');
  const events = rate('entitled_append_events_sum');
  return [
    ['Requests', rate('entitled_requests_total'), 'a second'],
    ['Failures', rate('entitled_requests_total', ({ status }) => status >= 500), 'answers 5xx a second'],
    ['Held polls', sum(after, 'entitled_holds'), 'now'],
    ['In flight', sum(after, 'entitled_requests_in_flight'), 'requests wait for the database'],
    ['Events', events, appends ? `stored a second, ${whole(events / appends)} an append` : 'stored a second'],
    ['Writers’ queue', sum(after, 'entitled_append_queue'), 'commands wait'],
    ['Tail', sum(after, 'entitled_tail_age_seconds'), 'seconds since the log was read'],
    ['Alarms', sum(after, 'entitled_alarms_total'), 'since the start; should be 0'],
  ];
}

function routes(before, after, seconds) {
  const groups = new Map();
  for (const { labels } of after.entitled_requests_total ?? []) groups.set(`${labels.method} ${labels.route}`, labels);
  const rows = [...groups].map(([name, { method, route }]) => {
    const fits = (labels) => labels.method === method && labels.route === route;
    const growth = (also = () => true) => sum(after, 'entitled_requests_total', (labels) => fits(labels) && also(labels)) - sum(before, 'entitled_requests_total', (labels) => fits(labels) && also(labels));
    return [name, growth() / seconds, quantile(before, after, 'entitled_request_duration_seconds', 0.95, fits), growth(({ status }) => status >= 400) / seconds];
  });
  return rows.sort((a, b) => b[1] - a[1]).slice(0, 15).map(([name, perSecond, slow, refused]) => [h('span', { class: 'id' }, name), whole(perSecond), duration(slow), whole(refused)]);
}

function outcomes(after) {
  const list = ['entitled_signed_objects_total', 'entitled_commands_total', 'entitled_holds_ended_total'].flatMap((name) => (after[name] ?? []).map(({ labels, value }) => [name.slice(9, -6).replaceAll('_', ' '), labels.outcome, value]));
  return list.sort((a, b) => b[2] - a[2]);
}

async function work(path, method, title, absent) {
  const isServed = await serves(method, path);
  return h('section', { class: 'card' }, h('h2', {}, title),
    h('p', { class: 'quiet' }, isServed ? `Served at ${path}; the command line shows it.` : absent));
}

/** The page of live numbers. */
export async function operations(_, __, onLeave) {
  const readings = [];
  const tiles = h('div', { class: 'tiles' });
  const tables = h('div', { class: 'stack' });
  const trend = new Map();
  let isPaused = false;
  const button = h('button', { type: 'button', 'aria-pressed': 'false', onclick: () => {
    isPaused = !isPaused;
    button.setAttribute('aria-pressed', isPaused);
    button.textContent = isPaused ? 'Go on' : 'Pause';
  } }, 'Pause');
  const trouble = h('p', { class: 'wrong', role: 'status' });

  const look = async () => {
    try {
      readings.push({ at: performance.now(), series: read(await get('/metrics')) });
      trouble.textContent = '';
    } catch (error) {
      trouble.textContent = error.message;
      return;
    }
    if (readings.length > 5) readings.shift();
    const [first, last] = [readings[0], readings.at(-1)];
    const seconds = Math.max(0.001, (last.at - first.at) / 1000);
    tiles.replaceChildren(...numbers(first.series, last.series, seconds).map(([name, value, unit]) => {
      const values = [...(trend.get(name) ?? []), value].slice(-KEPT);
      trend.set(name, values);
      return h('div', { class: 'tile' }, h('span', { class: 'quiet' }, name), h('b', {}, whole(value)), h('small', {}, unit), spark(values));
    }));
    tables.replaceChildren(
      h('section', { class: 'card' }, h('h2', {}, 'Routes'), table('Routes', ['route', 'a second', '95 % within', 'refused a second'], routes(first.series, last.series, seconds))),
      h('section', { class: 'card' }, h('h2', {}, 'Outcomes since the start'), table('Outcomes', ['of', 'outcome', 'count'], outcomes(last.series))));
  };
  await look();
  const timer = setInterval(() => { if (!isPaused && !document.hidden) look(); }, EVERY);
  onLeave(() => clearInterval(timer));
  const works = await Promise.all([
    work('/rebuilds', 'get', 'Rebuilds', 'This release cannot rebuild projections while it runs.'),
    work('/reconcile', 'post', 'Reconciler', 'This release does not ask the App Store by itself.'),
    work('/webhooks', 'get', 'Webhooks', 'This release calls no webhooks.')]);
  return [
    h('div', { class: 'title' }, h('h1', {}, 'Live numbers'), button, h('span', { class: 'quiet' }, 'of this instance, every three seconds')),
    trouble, tiles, tables, works];
}
