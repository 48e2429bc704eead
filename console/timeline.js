// Draws what an explanation says: each entitlement's access, and under it every grantor's.

import { h, s } from './dom.js';
import { day, short, state, time } from './format.js';

const ROW = 24;
const HEAD = 26;
const FOOT = 42;
const MARKS = {
  refund: '✕', familyRevoked: '✕', grantRevoked: '✕', expiry: '┤', duration: '┤', grantEnd: '┤', nextPeriod: '│', upgraded: '↑',
  grace: '┤', graceNotHonoured: '┤', movedAway: '⇄',
};

/** Grantors of one lineage and product share a row: twelve months are twelve segments of one. */
function rows(entitlement) {
  const byName = new Map();
  for (const candidate of entitlement.candidates) {
    const isGrant = candidate.kind === 'grant';
    const key = isGrant ? candidate.id : `${candidate.originalTransactionId} ${candidate.productId}`;
    const row = byName.get(key) ?? {
      label: isGrant ? `grant ${short(candidate.id)}` : `${candidate.productId || 'no product'} ${short(candidate.originalTransactionId)}`,
      candidates: [],
    };
    row.candidates.push(candidate);
    byName.set(key, row);
  }
  return [...byName.values()];
}

const decisive = (candidate) => candidate.ends.find((end) => end.isDecisive);

/** A replacement by another product is an upgrade or the like; by the same, the next period. */
function mark(end) {
  return end.cause === 'nextPeriod' && end.byProductId ? '↑' : MARKS[end.cause] ?? '┤';
}

function extent(explanation, knownAt) {
  const times = [explanation.snapshot.asOf, knownAt];
  for (const { intervals, candidates } of explanation.entitlements) {
    times.push(...intervals.flat());
    for (const candidate of candidates) times.push(...candidate.intervals.flat(), candidate.purchaseDate);
  }
  const known = times.filter((value) => typeof value === 'number');
  const [from, to] = [Math.min(...known), Math.max(...known)];
  const room = Math.max((to - from) * 0.04, 3600000);
  // More behind than before: what would have lasted longer, or lasts for ever, goes out to the right.
  return [from - room, to + 3 * room];
}

function ticks(from, to, count) {
  const days = [1, 2, 7, 14, 30, 61, 91, 182, 365, 730, 1826, 3652].map((number) => number * 86400000);
  const hours = [3600000, 3 * 3600000, 6 * 3600000, 12 * 3600000];
  const step = [...hours, ...days].find((size) => (to - from) / size <= count) ?? (to - from) / count;
  const list = [];
  for (let at = Math.ceil(from / step) * step; at < to; at += step) list.push(at);
  return list.map((at) => ({ at, label: step < 86400000 ? time(at).slice(5) : step > 20 * 86400000 ? day(at).slice(0, 7) : day(at).slice(5) }));
}

function segment(candidate, interval, isFollowed, x, y, to) {
  const [start, end] = [x(interval[0] ?? -Infinity), x(interval[1] ?? to)];
  const expiry = candidate.ends.find((item) => item.cause === 'expiry');
  const last = decisive(candidate);
  const inGrace = last?.cause === 'grace' && expiry && expiry.at > (interval[0] ?? 0) && expiry.at < (interval[1] ?? to);
  const middle = inGrace ? x(expiry.at) : end;
  const until = interval[1] === null ? 'for ever' : `until ${time(interval[1])}`;
  const text = `${candidate.id}: ${time(interval[0])} ${until}${last && interval[1] === last.at ? `, ${last.phrase}` : ''}`;
  return s('g', { class: `segment ${candidate.standing}` },
    s('title', {}, text),
    s('rect', { class: 'bar', x: start, y: y + 8, width: Math.max(2, middle - start - (isFollowed ? 1.5 : 0)), height: 8, rx: 2 }),
    inGrace && s('rect', { class: 'grace', x: middle, y: y + 8, width: Math.max(2, end - middle), height: 8, rx: 2 }),
    interval[1] === null && s('path', { class: 'ever', d: `M${end} ${y + 12}l-7 -5v10z` }),
    last && interval[1] === last.at && !isFollowed && s('text', { class: `mark ${last.cause}`, x: end, y: y + 17 }, mark(last)));
}

/** Where it would have ended without the end in force. */
function otherwise(candidate, x, y, to) {
  const last = decisive(candidate);
  const later = candidate.ends.filter((end) => last && !end.isDecisive && end.at > last.at && end.cause === 'expiry').at(-1);
  if (!later || !candidate.intervals.length) return null;
  return s('g', { class: 'otherwise' }, s('title', {}, `otherwise ${later.phrase} ${time(later.at)}`),
    s('path', { d: `M${x(last.at) + 7} ${y + 12}H${Math.min(x(later.at), x(to))}` }));
}

function legend(explanation) {
  const causes = new Set(explanation.entitlements.flatMap((item) => item.candidates).flatMap((item) => item.ends.filter((end) => end.isDecisive)).map((end) => mark(end)));
  const words = [['┤', 'end'], ['✕', 'refunded or taken back'], ['↑', 'replaced by another product'], ['⇄', 'moved away']];
  return h('p', { class: 'legend' },
    h('span', {}, h('i', { class: 'swatch access' }), 'access'), h('span', {}, h('i', { class: 'swatch grantor' }), 'one grantor'),
    explanation.entitlements.some((item) => item.candidates.some((one) => decisive(one)?.cause === 'grace')) &&
      h('span', {}, h('i', { class: 'swatch grace' }), 'Apple’s grace period'),
    explanation.entitlements.some((item) => item.candidates.some((one) => otherwise(one, Number, 0, 0))) && h('span', {}, h('i', { class: 'swatch dotted' }), 'would have lasted'),
    words.filter(([sign]) => causes.has(sign)).map(([sign, word]) => h('span', {}, h('b', {}, sign), word)));
}

/** The picture; what it shows stands in words below it, too. `width` is what there is in pixels. */
export function timeline(explanation, width, now) {
  const knownAt = explanation.knownAt;
  const [from, to] = extent(explanation, knownAt);
  const isNarrow = width < 560;
  const left = isNarrow ? 4 : 190;
  const right = width - 12;
  const x = (at) => left + (Math.min(Math.max(at, from), to) - from) / (to - from) * (right - left);
  const lineHeight = isNarrow ? ROW + 13 : ROW;
  const content = [];
  let y = HEAD;
  const label = (text, kind) => s('text', { class: kind, x: isNarrow ? left : left - 10, y: isNarrow ? y + 4 : y + 16, 'text-anchor': isNarrow ? 'start' : 'end' }, text);
  for (const entitlement of explanation.entitlements) {
    content.push(label(entitlement.id, 'label'));
    if (isNarrow) y += 9;
    for (const [start, end] of entitlement.intervals) {
      const begin = x(start ?? -Infinity);
      content.push(s('rect', { class: 'access', x: begin, y: y + 4, width: Math.max(2, x(end ?? to) - begin), height: 16, rx: 3 },
        s('title', {}, `${entitlement.id}: access from ${time(start)} ${end === null ? 'for ever' : `to ${time(end)}`}`)));
    }
    y += isNarrow ? lineHeight - 9 : lineHeight;
    for (const row of rows(entitlement)) {
      content.push(label(row.label, 'label grantor'));
      if (isNarrow) y += 4;
      if (row.candidates.every((candidate) => !candidate.intervals.length)) {
        content.push(s('text', { class: 'label grantor', x: left, y: y + (isNarrow ? 16 : 16) }, state('nothing')[0]));
      }
      const starts = new Set(row.candidates.flatMap((candidate) => candidate.intervals.map(([start]) => start)));
      for (const candidate of row.candidates) {
        content.push(otherwise(candidate, x, y, to), ...candidate.intervals.map((interval) => segment(candidate, interval, starts.has(interval[1]), x, y, to)));
      }
      y += isNarrow ? lineHeight - 4 : lineHeight;
    }
    y += 8;
  }
  const bottom = y;
  const line = (at, text, kind, height) => {
    const place = x(at);
    const anchor = place > right - 70 ? 'end' : place < left + 70 ? 'start' : 'middle';
    return s('g', { class: `line ${kind}` }, s('path', { d: `M${place} ${HEAD - 8}V${bottom}` }),
      s('text', { x: place, y: height, 'text-anchor': anchor }, text));
  };
  const isPast = Math.abs(explanation.snapshot.asOf - now) > 60000;
  const grid = ticks(from, to, isNarrow ? 4 : 8).map(({ at, label: text }) => s('g', { class: 'tick' },
    s('path', { d: `M${x(at)} ${HEAD - 8}V${bottom}` }), s('text', { x: x(at), y: bottom + 15, 'text-anchor': 'middle' }, text)));
  const lines = [line(explanation.snapshot.asOf, isPast ? `as of ${time(explanation.snapshot.asOf)}` : 'now', 'now', 12)];
  if (knownAt !== null) lines.push(line(knownAt, `known ${time(knownAt)}`, 'known', bottom + 31));
  const words = explanation.entitlements.map((item) => item.headline).join(' ');
  return h('figure', { class: 'timeline' },
    s('svg', { viewBox: `0 0 ${width} ${bottom + FOOT}`, width, height: bottom + FOOT, role: 'img', 'aria-label': `Timeline. ${words}` },
      grid, content.filter(Boolean), lines),
    legend(explanation));
}
