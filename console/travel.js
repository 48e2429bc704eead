// Time travel: two sliders. "At" asks what was true then; "known at" leaves out what was learned later.

import { h } from './dom.js';
import { time } from './format.js';

const STEPS = 1000;

function slider(label, hint, from, to, value, onmove) {
  const range = h('input', { type: 'range', min: 0, max: STEPS, step: 1, 'aria-label': label, 'aria-describedby': `hint-${label.replaceAll(' ', '-')}` });
  const exact = h('input', { type: 'datetime-local', step: 1, 'aria-label': `${label}, exactly (UTC)` });
  const reset = h('button', { type: 'button', class: 'flat' }, 'now');
  const words = h('output', {});
  const now = Date.now();
  // The step nearest to now is now itself, and goes on with the time.
  const place = Math.round((now - from) / (to - from) * STEPS);
  let current = value;
  let quiet;
  const put = () => {
    range.value = Math.round(((current ?? now) - from) / (to - from) * STEPS);
    exact.value = new Date(current ?? Date.now()).toISOString().slice(0, 19);
    words.textContent = current === undefined ? 'now' : `${time(current)} UTC`;
    range.setAttribute('aria-valuetext', words.textContent);
    reset.disabled = current === undefined;
  };
  // A slider that is dragged asks once it rests.
  const moved = () => { put(); clearTimeout(quiet); quiet = setTimeout(onmove, 150); };
  range.addEventListener('input', () => {
    const chosen = Math.round(from + range.value / STEPS * (to - from));
    current = Number(range.value) === place ? undefined : chosen;
    moved();
  });
  exact.addEventListener('change', () => {
    const typed = Date.parse(`${exact.value}Z`);
    if (!Number.isNaN(typed)) { current = typed; moved(); }
  });
  reset.addEventListener('click', () => { current = undefined; moved(); range.focus(); });
  put();
  return {
    element: h('div', { class: 'slider' },
      h('div', {}, h('b', {}, label), ' ', words), range, h('div', { class: 'row' }, exact, h('span', { class: 'quiet' }, 'UTC'), reset),
      h('small', { id: `hint-${label.replaceAll(' ', '-')}` }, hint)),
    get value() { return current; },
    set value(next) { current = next; put(); },
  };
}

/** Both sliders. `onmove` gets `{ at, knownAt }`, undefined standing for now; `set` puts them somewhere and moves. */
export function travel(entries, content, point, onmove) {
  const now = Date.now();
  const first = Math.min(now - 3600000, ...entries.map((entry) => Math.min(entry.effectiveAt, entry.recordedAt)));
  const ends = content.entitlements.flatMap((item) => item.intervals.map(([, end]) => end)).filter((end) => end !== null);
  const last = Math.max(now, ...ends) + 86400000;
  const number = (text) => (text === undefined ? undefined : Number(text));
  const tell = () => onmove({ at: at.value, knownAt: knownAt.value });
  const at = slider('At', 'What was, or will be, true then.', first - 60000, last, number(point.at), tell);
  const knownAt = slider('Known at', 'Only what was known then: what the service said, and an agent saw.', first - 60000, now, number(point.knownAt), tell);
  const set = (to) => { at.value = to.at; knownAt.value = to.knownAt; tell(); };
  const element = h('section', { class: 'card travel', 'aria-label': 'Time travel' }, at.element, knownAt.element);
  return { element, set };
}
