// Who looks, at which app. The token is kept for this tab only, and never in an address or on a disk.

const KEY = 'entitled.session';

/** The present session; `token` is empty before the sign-in. */
export const session = { token: '', app: '', environment: 'Production', subject: '', scope: '', apps: [] };

function claims(token) {
  try {
    const text = atob(token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/'));
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(text, (character) => character.charCodeAt(0))));
  } catch {
    return {};
  }
}

/** Takes a token. What it says is only for what is shown: the service decides what it may do. */
export function signIn(token) {
  const { sub, scope } = claims(token);
  if (scope !== 'support' && scope !== 'admin') return false;
  Object.assign(session, { token, subject: sub ?? '', scope });
  keep();
  return true;
}

/** Keeps what is looked at for a reload of this tab. */
export function keep() {
  const { token, app, environment } = session;
  sessionStorage.setItem(KEY, JSON.stringify({ token, app, environment }));
}

/** Comes back after a reload. */
export function resume() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? '{}');
    if (!kept.token || !signIn(kept.token)) return false;
    Object.assign(session, { app: kept.app ?? '', environment: kept.environment ?? 'Production' });
    keep();
    return true;
  } catch {
    return false;
  }
}

/** Forgets everything. */
export function signOut(reason = '') {
  sessionStorage.removeItem(KEY);
  Object.assign(session, { token: '', subject: '', scope: '', apps: [] });
  dispatchEvent(new CustomEvent('signedout', { detail: reason }));
}

/** Whether the token may do everything; the other operators may look and grant. */
export const isAdmin = () => session.scope === 'admin';
