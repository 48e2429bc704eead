// Times and words for people. Times are UTC, as in the answers and on the command line.

const pad = (number) => String(number).padStart(2, '0');

/** `2026-06-01 10:00`, with seconds where there are some. */
export function time(ms) {
  if (ms === null || ms === undefined) return '–';
  const date = new Date(ms);
  const day = `${date.getUTCFullYear()}-${pad(date.getUTCMonth() + 1)}-${pad(date.getUTCDate())}`;
  const seconds = date.getUTCSeconds() ? `:${pad(date.getUTCSeconds())}` : '';
  return `${day} ${pad(date.getUTCHours())}:${pad(date.getUTCMinutes())}${seconds}`;
}

/** `2026-06-01`. */
export const day = (ms) => time(ms).slice(0, 10);

/** From one time to another, or for ever. */
export function interval([from, to]) {
  const start = from === null ? 'the beginning' : time(from);
  return to === null ? `from ${start}, for ever` : `${start} to ${time(to)}`;
}

/** `+5 s`, `40 days`: the greatest unit that fits. */
export function span(ms) {
  const units = [['day', 86400000], ['h', 3600000], ['min', 60000], ['s', 1000]];
  for (const [name, size] of units) {
    if (Math.abs(ms) < size) continue;
    const count = Math.round(ms / size);
    return `${count} ${name}${name === 'day' && count !== 1 ? 's' : ''}`;
  }
  return `${ms} ms`;
}

/** Short names for long ids: the last four digits tell them apart. */
export const short = (id) => (id.length > 9 ? `…${id.slice(-4)}` : id);

const STATES = {
  active: ['active', 'good'], inGracePeriod: ['in grace period', 'warn'], upcoming: ['still to come', 'plain'],
  revoked: ['revoked', 'bad'], inBillingRetry: ['in billing retry', 'warn'], expired: ['expired', 'plain'],
  over: ['over', 'plain'], nothing: ['gives nothing', 'plain'],
};

/** A state as words and a tone. */
export const state = (name) => STATES[name] ?? [name ?? 'never granted', 'plain'];

/** How access began. */
export const BEGINS = { purchase: 'bought', stacked: 'after the pass before', movedHere: 'came to this account', grant: 'granted' };

/** How a purchase came to its owner. */
export const OWNS = { token: 'by its token', claim: 'by claim', restore: 'by restore', operator: 'by an operator', locked: 'locked: its owner was erased' };

/** The event that said something. */
export function told(entry) {
  if (!entry) return 'no event of this account';
  const name = entry.notificationType ? [entry.notificationType, entry.subtype].filter(Boolean).join(' ') : `${entry.type} by ${entry.source}`;
  return `event ${entry.version}, ${name}, learned ${time(entry.learnedAt)}`;
}
