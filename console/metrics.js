// Reads Prometheus' text format, and makes rates of counters.

const LINE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;

/** What a page of metrics says: `{ name: [{ labels, value }] }`. */
export function read(text) {
  const series = {};
  for (const line of text.split('\n')) {
    const found = LINE.exec(line);
    if (!found) continue;
    const labels = Object.fromEntries([...(found[2] ?? '').matchAll(LABEL)].map(([, name, value]) => [name, value]));
    (series[found[1]] ??= []).push({ labels, value: Number(found[3]) });
  }
  return series;
}

/** The sum of a metric, over the series that fit. */
export function sum(series, name, fits = () => true) {
  return (series[name] ?? []).filter(({ labels }) => fits(labels)).reduce((total, { value }) => total + value, 0);
}

/** A quantile of a histogram's growth between two readings; undefined if nothing came. */
export function quantile(before, after, name, share, fits = () => true) {
  const bounds = new Map();
  for (const [series, sign] of [[after, 1], [before, -1]]) {
    for (const { labels, value } of series[`${name}_bucket`] ?? []) {
      if (fits(labels)) bounds.set(labels.le, (bounds.get(labels.le) ?? 0) + sign * value);
    }
  }
  const sorted = [...bounds].map(([le, count]) => [le === '+Inf' ? Infinity : Number(le), count]).sort((a, b) => a[0] - b[0]);
  const total = sorted.at(-1)?.[1] ?? 0;
  if (total <= 0) return undefined;
  return sorted.find(([, count]) => count >= share * total)[0];
}
