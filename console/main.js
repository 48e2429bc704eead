// The frame: sign-in, search, the way to each page.

import { get, Refusal } from './api.js';
import { account } from './account.js';
import { acts } from './acts.js';
import { catalog } from './catalog.js';
import { h, say } from './dom.js';
import { operations } from './operations.js';
import { find } from './search.js';
import { isAdmin, keep, resume, session, signIn, signOut } from './session.js';
import { unclaimed } from './unclaimed.js';

const PAGES = { find, account, unclaimed, catalog, acts, operations };
const LINKS = [['find', 'Accounts'], ['unclaimed', 'Unclaimed'], ['catalog', 'Catalog'], ['acts', 'Acts'], ['operations', 'Live']];

const top = document.getElementById('top');
const main = document.getElementById('main');
let leave = () => {};
let turn = 0;

/** A card that says why something is not shown. */
function trouble(error) {
  const isRefusal = error instanceof Refusal;
  return h('section', { class: 'card trouble', role: 'alert' },
    h('h2', {}, isRefusal ? error.title : 'The console made a mistake'),
    h('p', {}, error.message),
    isRefusal && h('p', { class: 'quiet' }, `code ${error.code}`, error.requestId && `, request ${error.requestId}`));
}

function choose(name, value) {
  session[name] = value;
  keep();
  // What the address says of a moment or an environment is of the one before.
  const [path] = location.hash.split('?');
  if (path === location.hash) show(); else location.hash = path;
}

function choice(label, name, values) {
  const select = h('select', { 'aria-label': label, onchange: () => choose(name, select.value) },
    values.map((value) => h('option', { value, selected: value === session[name] }, value)));
  return select;
}

function frame(page) {
  const app = session.apps.find((item) => item.bundleId === session.app);
  const search = h('input', { type: 'search', name: 'id', placeholder: 'Account, transaction or grant', 'aria-label': 'Find an account by any id', autocomplete: 'off', spellcheck: 'false' });
  const isThere = (name) => name === page || (name === 'find' && page === 'account');
  top.replaceChildren(
    h('div', { class: 'masthead' },
      h('a', { class: 'brand', href: '#/find' }, 'Entitled'),
      h('form', { role: 'search', onsubmit: (event) => { event.preventDefault(); go('find', search.value.trim()); } },
        search, h('button', { type: 'submit' }, 'Find')),
      h('div', { class: 'who' },
        choice('App', 'app', session.apps.map((item) => item.bundleId)),
        choice('Environment', 'environment', app?.environments ?? []),
        h('span', { class: 'quiet', title: isAdmin() ? 'May do everything' : 'May look and grant' }, `${session.subject} · ${session.scope}`),
        h('button', { type: 'button', class: 'flat', onclick: () => signOut() }, 'Sign out'))),
    h('nav', { 'aria-label': 'Pages' },
      LINKS.map(([name, label]) => h('a', { href: `#/${name}`, 'aria-current': isThere(name) && 'page' }, label))));
}

function signInPage(reason) {
  const input = h('input', { type: 'password', name: 'token', required: true, autocomplete: 'off', spellcheck: 'false' });
  const wrong = h('p', { class: 'wrong', role: 'alert' }, reason ?? '');
  const submit = async (event) => {
    event.preventDefault();
    wrong.textContent = '';
    if (!signIn(input.value.trim())) {
      wrong.textContent = 'This is no operator’s token: it must be of scope support or admin.';
      input.focus();
      return;
    }
    try {
      await begin();
      say(`Signed in as ${session.subject}.`);
    } catch (error) {
      // A token that is not accepted was told so already.
      if (session.token) signOut(error.message);
    }
  };
  top.replaceChildren();
  document.title = 'Sign in · Entitled';
  main.replaceChildren(h('section', { class: 'card narrow' },
    h('h1', {}, 'Entitled'),
    h('form', { onsubmit: submit },
      h('label', { class: 'field' }, h('span', {}, 'Operator’s token'), input,
        h('small', {}, 'It is kept in this tab only.')),
      wrong,
      h('button', { type: 'submit', class: 'primary' }, 'Sign in')),
    h('p', { class: 'quiet' }, 'Whoever runs the service makes one: ', h('code', {}, 'entitled token --scope support --subject NAME'),
      '. With support one may look and grant, with admin everything.')));
  input.focus();
}

/** Goes to a page: `go('account', id, { at })`. */
function go(page, id = '', query = {}) {
  const words = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== undefined && value !== null));
  const address = `#/${page}${id && `/${encodeURIComponent(id)}`}${words.size ? `?${words}` : ''}`;
  if (address === location.hash) show(); else location.hash = address;
}

async function show() {
  if (!session.token) return;
  const [path, words = ''] = location.hash.replace(/^#\//, '').split('?');
  const [name, id = ''] = path.split('/').map(decodeURIComponent);
  const page = PAGES[name] ? name : 'find';
  const query = Object.fromEntries(new URLSearchParams(words));
  if (query.environment && session.apps.some((item) => item.environments.includes(query.environment))) session.environment = query.environment;
  leave();
  leave = () => {};
  frame(page);
  const mine = ++turn;
  main.setAttribute('aria-busy', 'true');
  let content;
  try {
    content = await PAGES[page](id, query, (ending) => { leave = ending; });
  } catch (error) {
    content = trouble(error);
  }
  if (mine !== turn || !session.token) return;
  main.removeAttribute('aria-busy');
  main.replaceChildren(...[content].flat(Infinity).filter(Boolean));
  document.title = `${main.querySelector('h1')?.textContent ?? 'Entitled'} · Entitled`;
  if (document.activeElement === document.body) main.focus({ preventScroll: true });
}

async function begin() {
  session.apps = (await get('/v1/apps')).apps;
  if (!session.apps.length) throw new Error('No app is served yet, or not the one of this token. `entitled catalog apply` adds one.');
  const app = session.apps.find((item) => item.bundleId === session.app) ?? session.apps[0];
  session.app = app.bundleId;
  if (!app.environments.includes(session.environment)) session.environment = app.environments[0];
  keep();
  await show();
}

addEventListener('hashchange', show);
addEventListener('signedout', (event) => { leave(); leave = () => {}; signInPage(event.detail); });

if (resume()) begin().catch((error) => { signOut(error.message); });
else signInPage();
