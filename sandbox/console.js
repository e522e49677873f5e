// Keeps the pages of the console up to date, and sends their forms without leaving the page. The pages work without it.

/** How often the page asks for changes while it is visible. Without changes, the answer is an empty 304. */
const pollMs = 1_000;
const retryMs = 3_000;
/** A sandbox that accepts connections but never answers, for example one that a debugger has stopped. */
const timeoutMs = 10_000;

let etag = '';
let unseen = 0;

const connection = document.querySelector('[data-connection]');
const news = document.querySelector('[data-news]');

forgetMessage();
document.addEventListener('submit', handleSubmit);
document.addEventListener('click', handleClick);
// This event does not bubble.
document.addEventListener('toggle', ({ target }) => void showAnswer(target), { capture: true });
document.addEventListener('scroll', handleScroll, { passive: true });
document.addEventListener('visibilitychange', () => void poll());
if (document.querySelector('[data-live]')) void keepPolling();

async function keepPolling() {
  for (;;) {
    const isConnected = await poll();
    await new Promise((resolve) => setTimeout(resolve, isConnected ? pollMs : retryMs));
  }
}

/** Returns false if the sandbox does not answer. */
async function poll() {
  if (document.hidden) return true;
  try {
    const headers = etag ? { 'If-None-Match': etag } : {};
    const response = await fetch(location.href, {
      headers,
      cache: 'no-store',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.status === 200) {
      etag = response.headers.get('ETag') ?? '';
      update(await response.text());
    }
    say(connection, response.status === 404 ? 'This page no longer exists.' : 'Live');
    return true;
  } catch {
    say(connection, 'The sandbox does not answer. Trying again …');
    return false;
  }
}

/** Replaces what changed, and keeps the place on the screen that the reader looks at. */
function update(page) {
  const next = new DOMParser().parseFromString(page, 'text/html');
  const anchor = isReading() ? findAnchor() : undefined;
  const before = anchor?.getBoundingClientRect().top ?? 0;
  const known = new Set(listKeys());
  for (const region of next.querySelectorAll('[data-live]')) {
    const current = document.getElementById(region.id);
    if (current) morph(current, region);
  }
  for (const details of document.querySelectorAll('[data-answer]')) void showAnswer(details);
  if (anchor?.isConnected) scrollBy(0, anchor.getBoundingClientRect().top - before);
  const added = listKeys().filter((key) => !known.has(key));
  if (added.length > 0 && known.size > 0) announce(added, anchor !== undefined);
}

/** True if insertions above the reader's place would move it. */
function isReading() {
  const ledger = document.querySelector('[data-ledger]');
  return (
    scrollY > 0 ||
    ledger?.contains(document.activeElement) ||
    ledger?.querySelector('details[open]')
  );
}

function findAnchor() {
  const candidates = document.querySelectorAll('[data-key], h2, form, dl, tr, .files > li');
  return [...candidates].find((one) => one.getBoundingClientRect().top >= 0);
}

function listKeys() {
  return [...document.querySelectorAll('[data-key]')].map((entry) => entry.dataset.key);
}

function announce(keys, isAbove) {
  for (const key of keys) {
    document.querySelector(`[data-key="${CSS.escape(key)}"]`)?.classList.add('arrived');
  }
  unseen = isAbove ? unseen + keys.length : 0;
  if (!news) return;
  news.textContent = unseen === 1 ? '1 new entry' : `${unseen} new entries`;
  news.parentElement.hidden = unseen === 0;
}

function handleScroll() {
  const ledger = document.querySelector('[data-ledger]');
  if (!news || unseen === 0 || (ledger?.getBoundingClientRect().top ?? 0) < 0) return;
  unseen = 0;
  news.parentElement.hidden = true;
}

/** Shows an answer that is too long for the page, once it is opened. If it cannot be loaded, the link to it stays. */
async function showAnswer(details) {
  const { answer: url, loaded } = details.dataset ?? {};
  if (!url || !details.open || loaded === url) return;
  details.dataset.loaded = url;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    const { answer } = response.ok ? await response.json() : {};
    if (!answer) throw new Error('The sandbox keeps only the latest answers.');
    // A newer answer may have been requested since.
    if (details.dataset.loaded !== url) return;
    const text = document.createElement('pre');
    text.tabIndex = 0;
    text.textContent = indent(answer);
    details.lastElementChild.replaceWith(text);
  } catch {
    if (details.dataset.loaded === url) delete details.dataset.loaded;
  }
}

function indent(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function handleClick(event) {
  const target = event.target instanceof Element ? event.target : null;
  // A double click is one click. After the first, another Remove may be at the same place. The clock may be moved in quick clicks.
  const isRepeated = event.detail > 1 && target?.closest('form[data-control] button');
  if (isRepeated && !isRepeated.form.action.endsWith('/clock')) event.preventDefault();
  if (target?.closest('[data-news]')) {
    unseen = 0;
    news.parentElement.hidden = true;
    scrollTo({ top: 0 });
    const first = document.querySelector('[data-key] a');
    first?.focus({ preventScroll: true });
  }
  const link = target?.closest('a[data-swap]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  void swap(link);
}

/** Shows the region of another version of this page, for example with a field revealed. */
async function swap(link) {
  const { id, href } = link;
  history.replaceState(null, '', href.split('#')[0]);
  etag = '';
  await poll();
  document.getElementById(id)?.focus();
}

function handleSubmit(event) {
  const form = event.target;
  if (!form.matches('form[data-control]')) return;
  event.preventDefault();
  void send(form, event.submitter);
}

async function send(form, submitter) {
  const said = document.getElementById(form.dataset.said ?? '') ?? form.querySelector('.said');
  try {
    const response = await fetch(form.action, {
      method: 'POST',
      headers: { Accept: 'application/json' },
      body: new URLSearchParams(new FormData(form, submitter)),
    });
    const { message, problems, error } = await response.json();
    say(said, response.ok ? message : (problems?.join(' ') ?? error), !response.ok);
  } catch {
    say(said, 'The sandbox does not answer. Check that it runs, then try again.', true);
    return;
  }
  await poll();
  // The form may be gone, for example that of a removed fault.
  if (submitter && !submitter.isConnected) said?.focus();
}

function say(element, text, isError = false) {
  if (!element) return;
  element.classList.toggle('bad', isError);
  if (element.textContent !== text) element.textContent = text;
}

/** A reload must not repeat the message of a form that was sent without script. */
function forgetMessage() {
  const url = new URL(location.href);
  if (!url.searchParams.has('done')) return;
  url.searchParams.delete('done');
  history.replaceState(null, '', url);
}

/** Attributes that the reader and this script set. */
const ownAttributes = new Set(['open', 'data-loaded']);

/** Makes `current` equal to `next`, and keeps elements that are in both: their focus, their scroll position, and what is open. */
function morph(current, next) {
  for (const name of current.getAttributeNames()) {
    if (!ownAttributes.has(name) && !next.hasAttribute(name)) current.removeAttribute(name);
  }
  for (const { name, value } of next.attributes) {
    if (name !== 'open' && current.getAttribute(name) !== value) current.setAttribute(name, value);
  }
  // A loaded answer stays until the next one is loaded.
  if (current.dataset?.loaded && next.dataset.answer) {
    morph(current.firstElementChild, next.firstElementChild);
    return;
  }
  const rest = [...current.childNodes];
  for (const wanted of next.childNodes) {
    const index = rest.findIndex((one) => isSame(one, wanted));
    const found = rest[index];
    if (!found) {
      current.insertBefore(document.importNode(wanted, true), rest[0] ?? null);
      continue;
    }
    // Without a key, everything up to the found node is gone. With one, it may follow later.
    const isNext = index === 0 || rest.slice(0, index).every((one) => !toKey(one));
    const skipped = isNext ? rest.splice(0, index) : [];
    for (const one of skipped) one.remove();
    rest.splice(rest.indexOf(found), 1);
    if (!isNext) current.insertBefore(found, rest[0] ?? null);
    if (found instanceof Element) morph(found, wanted);
    else if (found.nodeValue !== wanted.nodeValue) found.nodeValue = wanted.nodeValue;
  }
  for (const one of rest) one.remove();
}

function isSame(one, other) {
  return (
    one.nodeType === other.nodeType &&
    one.nodeName === other.nodeName &&
    toKey(one) === toKey(other)
  );
}

function toKey(node) {
  return node instanceof Element
    ? (node.getAttribute('data-key') ??
        node.getAttribute('data-day') ??
        node.getAttribute('data-entries') ??
        node.id)
    : '';
}
