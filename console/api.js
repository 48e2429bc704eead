// Asks the service. A refusal is thrown with its code, so that a page can say what to do.

import { session, signOut } from './session.js';

/** What the service answered instead (RFC 9457). */
export class Refusal extends Error {
  constructor(problem, status) {
    super(problem.detail ?? problem.title ?? `The service answered ${status}.`);
    this.code = problem.code ?? `status ${status}`;
    this.title = problem.title ?? 'No answer';
    this.requestId = problem.requestId;
    this.status = status;
  }
}

async function ask(method, path, query, body) {
  const url = new URL(path, location.origin);
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null && value !== '') url.searchParams.set(name, value);
  }
  const headers = { Authorization: `Bearer ${session.token}` };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  let response;
  try {
    response = await fetch(url, {
      method, headers, body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
      cache: 'no-store', credentials: 'omit', redirect: 'error',
    });
  } catch {
    throw new Refusal({ title: 'Not reached', code: 'notReached', detail: 'The service was not reached. Try again.' }, 0);
  }
  const isJSON = /json/.test(response.headers.get('Content-Type') ?? '');
  const content = isJSON ? await response.json() : await response.text();
  if (response.ok) return content;
  if (response.status === 401 && session.token) signOut('Your token is no longer accepted. Sign in with a new one.');
  throw new Refusal(isJSON ? content : {}, response.status);
}

/** Reads from a path of the service. */
export const get = (path, query) => ask('GET', path, query);

/** Asks or changes something of the app that is looked at. */
export function app(method, path, query, body) {
  return ask(method, `/v1/apps/${encodeURIComponent(session.app)}${path}`, query, body);
}

/** The path of an account. */
export const accountPath = (account, rest = '') => `/accounts/${encodeURIComponent(account)}${rest}`;

let description;
/** Whether this release serves a method at a path below the app's, as in api.md: parts of the console wait for theirs. */
export async function serves(method, path) {
  description ??= get('/openapi.json').catch((error) => { description = undefined; throw error; });
  return Boolean((await description).paths[`/v1/apps/{bundleId}${path}`]?.[method]);
}
