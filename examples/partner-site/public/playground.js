// The playground: the choices are in the URL, and the element, its code, and the list of events follow them.

import { readAnswers } from './playground-answers.js';
import {
  colors,
  examples,
  listContrastProblems,
  propertyNames,
  sizes,
  toCode,
  toPrefill,
  toProperties,
} from './playground-code.js';
import { industries, states } from './playground-lists.js';

const bffUrl = document.body.dataset.bffUrl;
const form = document.querySelector('.controls');
const stage = document.querySelector('#stage');
const themeSheet = document.querySelector('#theme');
const code = document.querySelector('#code');
const formats = document.querySelector('#formats');
const json = document.querySelector('#json');
const problemList = document.querySelector('#json-problems');
const contrastList = document.querySelector('#contrast');
const log = document.querySelector('#log');
const latest = document.querySelector('#latest');
const copied = document.querySelector('#copied');

/** The form starts over this long after the last change of the JSON. */
const typingMs = 400;
const maxEventsShown = 200;
const isDark = matchMedia('(prefers-color-scheme: dark)');
const events = [
  'funding-ready',
  'funding-step',
  'funding-submitted',
  'funding-document',
  'funding-offers',
  'funding-offer-chosen',
  'funding-bank-request',
  'funding-exit',
  'funding-error',
];
/** These are read only when an element starts. */
const startsOver = new Set(['answers', 'outcome', 'heading']);

const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
const lists = { industries, states };
/** The latest valid answers. */
let answers;
let typing;
let eventCount = 0;

createControls();
readUrl();
foldGroups();
form.addEventListener('input', handleInput);
form.addEventListener('submit', (event) => event.preventDefault());
form.addEventListener('reset', () => setTimeout(handleReset));
isDark.addEventListener('change', apply);
themeSheet.addEventListener('load', apply);
addEventListener('hashchange', handleHashChange);
document.querySelector('#restart').addEventListener('click', mount);
document.querySelector('#clear').addEventListener('click', clearLog);
document
  .querySelector('#copy')
  .addEventListener('click', () => void copy(code.textContent, 'Code'));
document
  .querySelector('#copy-link')
  .addEventListener('click', () => void copy(location.href, 'Link'));
formats.addEventListener('input', apply);
checkAnswers();
mount();
void loadChoices();

function createControls() {
  for (const [name, text] of colors) addControl('#colors', name, text, { type: 'color' });
  for (const [name, text, min, max, value] of sizes) {
    const label = addControl('#sizes', name, text, { type: 'range', min, max, value });
    const output = document.createElement('output');
    output.htmlFor = name;
    label.append(' ', output);
  }
}

function addControl(group, name, text, properties) {
  const label = document.createElement('label');
  label.htmlFor = name;
  label.textContent = text;
  const input = document.createElement('input');
  for (const [key, value] of Object.entries(properties)) input.setAttribute(key, String(value));
  input.id = name;
  input.name = name;
  const row = document.createElement('div');
  row.append(label, input);
  document.querySelector(group).append(row);
  return label;
}

/** On a phone, the form comes first: its choices are one touch away. */
function foldGroups() {
  if (matchMedia('(width >= 60rem)').matches) return;
  for (const group of form.querySelectorAll('details')) group.open = false;
}

/** Choices that differ from their default. A color or a size counts once somebody has changed it. */
function readChoices() {
  const choices = new Map();
  for (const control of form.elements) {
    if (!control.name) continue;
    const isChosen = control.tagName === 'SELECT' ? control.value : control.dataset.chosen;
    if (isChosen) choices.set(control.name, control.value);
  }
  return choices;
}

function readUrl() {
  for (const [name, value] of new URLSearchParams(location.search)) {
    if (name === 'format') checkFormat(value);
    const control = form.elements.namedItem(name);
    if (!control?.name) continue;
    const before = control.value;
    control.value = value;
    const isValid = control.tagName === 'SELECT' ? control.value !== '' : control.value === value;
    if (!isValid) control.value = before;
    else if (control.tagName !== 'SELECT') control.dataset.chosen = 'yes';
  }
  readHash();
}

function checkFormat(value) {
  for (const radio of formats.querySelectorAll('input')) {
    if (radio.value === value) radio.checked = true;
  }
}

/** The answers are after the `#`, which browsers don't send to the server. */
function readHash() {
  const hash = new URLSearchParams(location.hash.slice(1));
  const choice = form.elements.namedItem('answers');
  if (hash.has('prefill')) {
    json.value = prettify(hash.get('prefill'));
    choice.value = 'own';
  } else if (choice.value === 'own') choice.value = '';
  else fillExample();
}

function handleHashChange() {
  if (!location.hash.startsWith('#prefill=')) return;
  readHash();
  checkAnswers();
  mount();
}

function prettify(text) {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

function fillExample() {
  const example = examples[form.elements.namedItem('answers').value];
  json.value = example ? JSON.stringify(example, undefined, 2) : '';
}

function handleInput({ target }) {
  if (target === json) {
    clearTimeout(typing);
    typing = setTimeout(handleTyped, typingMs);
    return;
  }
  if (target.type === 'color' || target.type === 'range') target.dataset.chosen = 'yes';
  if (target.name === 'answers') {
    if (target.value === 'own') json.focus();
    else fillExample();
    checkAnswers();
  }
  if (startsOver.has(target.name)) mount();
  else apply();
}

/** Invalid answers leave the form as it is. */
function handleTyped() {
  const choice = form.elements.namedItem('answers');
  choice.value = json.value.trim() === '' ? '' : 'own';
  if (checkAnswers()) mount();
}

function handleReset() {
  clearTimeout(typing);
  for (const control of form.elements) delete control.dataset.chosen;
  json.value = '';
  checkAnswers();
  mount();
}

/** Returns false if the typed answers have problems, which are then listed. */
function checkAnswers() {
  const read = readAnswers(json.value, lists);
  const isValid = read.problems.length === 0;
  json.setAttribute('aria-invalid', String(!isValid));
  const rows = read.problems.map((problem) => {
    const row = document.createElement('p');
    row.textContent = problem;
    return row;
  });
  problemList.replaceChildren(...rows);
  if (isValid) answers = read.answers;
  return isValid;
}

/** The choices that the partner's settings decide. Without them, every text is allowed. */
async function loadChoices() {
  try {
    const response = await fetch(`${bffUrl}/v1/configuration?locale=en`);
    const configuration = await response.json();
    for (const name of ['fundingReasons', 'businessTypes', 'creditScores']) {
      lists[name] = configuration[name].map(({ value }) => value);
    }
  } catch {
    return;
  }
  checkAnswers();
}

/** Replaces the element. Known answers are used when a form starts. */
function mount() {
  const element = document.createElement('funding-application');
  // The playground starts over with each change, and its URL has its choices.
  element.setAttribute('draft', 'off');
  element.setAttribute('history', 'off');
  const choices = readChoices();
  const level = choices.get('heading');
  if (level) element.setAttribute('heading-level', level);
  element.prefill = toPrefill(answers, choices.get('outcome'));
  for (const name of events) element.addEventListener(name, addToLog);
  stage.replaceChildren(element);
  apply();
}

function apply() {
  const choices = readChoices();
  const element = stage.firstElementChild;
  const preset = choices.get('preset');
  themeSheet.disabled = !preset;
  if (preset) themeSheet.href = `/themes/${preset}.css`;
  for (const name of propertyNames) element.style.removeProperty(name);
  for (const [name, value] of toProperties(choices)) element.style.setProperty(name, value);
  setAttribute(element, 'theme', choices.get('scheme'));
  setAttribute(element, 'locale', choices.get('locale'));
  const scheme = choices.get('scheme') ?? (preset === 'night' ? 'dark' : undefined);
  setAttribute(stage, 'data-scheme', scheme);
  setAttribute(stage, 'data-width', choices.get('width'));
  const isDarkNow = scheme ? scheme === 'dark' : isDark.matches;
  showDefaults(isDarkNow);
  showContrast(choices, isDarkNow);
  const format = formats.querySelector(':checked').value;
  const prefill = toPrefill(answers, choices.get('outcome'));
  code.textContent = toCode(format, { choices, prefill, bffUrl, siteUrl: location.origin });
  writeUrl(choices, format);
}

/** A color or a size that nobody has changed is the one that the element has now. */
function showDefaults(isDarkNow) {
  for (const [name] of colors) {
    const input = form.elements.namedItem(name);
    if (!input.dataset.chosen) input.value = toHex(readColor(name, isDarkNow));
  }
  const style = getComputedStyle(stage.firstElementChild);
  for (const [name, , , , value] of sizes) {
    const input = form.elements.namedItem(name);
    const current = /^([\d.]+)px$/.exec(style.getPropertyValue(`--funding-${name}`).trim());
    if (!input.dataset.chosen) input.value = current?.[1] ?? String(value);
    form.querySelector(`output[for="${name}"]`).value = `${input.value} px`;
  }
}

function toHex(color) {
  return `#${color.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function showContrast(choices, isDarkNow) {
  const problems = listContrastProblems((name) => readColor(name, isDarkNow), choices);
  const rows = problems.map((problem) => {
    const row = document.createElement('p');
    row.textContent = problem;
    return row;
  });
  // The same problems are not announced again.
  if (contrastList.textContent !== problems.join('')) contrastList.replaceChildren(...rows);
}

/** The color that the form has now, as red, green, and blue. */
function readColor(name, isDarkNow) {
  if (name === 'page') {
    const own = getComputedStyle(stage).backgroundColor;
    const isOwn = stage.dataset.scheme !== undefined;
    return toRgb(isOwn ? own : getComputedStyle(document.body).backgroundColor);
  }
  const element = stage.firstElementChild;
  const [, , light, dark] = colors.find(([color]) => color === name);
  // A property with a color computes to it, whether the custom property is from a style sheet or from this page.
  element.style.outlineColor = `var(--funding-${name}, ${isDarkNow ? dark : light})`;
  const color = getComputedStyle(element).outlineColor;
  element.style.removeProperty('outline-color');
  return toRgb(color);
}

/** Computed colors can be in any color space. A canvas converts them. */
function toRgb(color) {
  canvas.fillStyle = color;
  canvas.fillRect(0, 0, 1, 1);
  const [red, green, blue] = canvas.getImageData(0, 0, 1, 1).data;
  return [red, green, blue];
}

function writeUrl(choices, format) {
  const query = new URLSearchParams([...choices]);
  if (format !== 'html') query.set('format', format);
  const hash = new URLSearchParams();
  if (choices.get('answers') === 'own' && answers) hash.set('prefill', JSON.stringify(answers));
  const url = new URL(location.pathname, location.origin);
  url.search = query.toString();
  url.hash = hash.toString();
  // WebKit throws when a page replaces its URL more than 100 times in 10 seconds, as a range does.
  try {
    history.replaceState(history.state, '', url);
  } catch (error) {
    if (error.name !== 'SecurityError') throw error;
  }
}

function setAttribute(element, name, value) {
  if (value) element.setAttribute(name, value);
  else element.removeAttribute(name);
}

function addToLog(event) {
  const row = document.createElement('li');
  const time = document.createElement('time');
  time.textContent = new Date().toLocaleTimeString('en-US', { hour12: false });
  const name = document.createElement('strong');
  name.textContent = event.type;
  const facts = document.createElement('span');
  facts.className = 'facts';
  for (const field of Object.getOwnPropertyNames(event)) {
    if (field === 'isTrusted' || event[field] === undefined) continue;
    const fact = document.createElement('span');
    fact.textContent = `${field}: ${toText(event[field])}`;
    facts.append(fact);
  }
  row.append(time, name, facts);
  log.prepend(row);
  if (log.childElementCount > maxEventsShown) log.lastElementChild.remove();
  eventCount += 1;
  latest.textContent = `${eventCount === 1 ? '1 event' : `${eventCount} events`}, latest: ${event.type}`;
}

function toText(value) {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function clearLog() {
  log.replaceChildren();
  eventCount = 0;
  latest.textContent = 'None yet.';
}

async function copy(text, what) {
  // A repeated message is read again only if it was gone.
  copied.textContent = '';
  try {
    await navigator.clipboard.writeText(text);
    copied.textContent = `${what} copied.`;
  } catch {
    copied.textContent =
      what === 'Code'
        ? 'The browser doesn’t allow copying here. The code is selected: press Ctrl+C, or ⌘C on a Mac.'
        : 'The browser doesn’t allow copying here. Copy the address of this page.';
    if (what === 'Code') getSelection().selectAllChildren(code);
  }
}
