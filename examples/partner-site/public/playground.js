// The playground: the choices are in the URL, and the element, its code, and the list of events follow them.

import { readAnswers } from './playground-answers.js';
import { createMadeUpApi } from './playground-bff.js';
import {
  colors,
  examples,
  listContrastProblems,
  propertyNames,
  sizes,
  toCode,
  toPrefill,
  toProperties,
  withMadeUp,
} from './playground-code.js';
import {
  automaticOutcome,
  eventNames,
  industries,
  outcomes,
  states,
  steps,
  themes,
} from './playground-lists.js';

const bffUrl = document.body.dataset.bffUrl;
const form = document.querySelector('.controls');
const stage = document.querySelector('#stage');
const stepNote = document.querySelector('#step-note');
const outcomeHint = document.querySelector('#outcome-hint');
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
/** A step that doesn't show by then is on a form that can't load, or lacks something. The form then says what. */
const longestWayMs = 5_000;
const maxEventsShown = 200;
const isDark = matchMedia('(prefers-color-scheme: dark)');
/** A form that has begun keeps its answers and its step, so a change of these choices begins a new one. */
const startsOver = new Set(['step', 'outcome', 'startPage', 'answers']);

const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
const lists = { industries, states };
/** The latest valid answers. */
let answers;
let typing;
let eventCount = 0;
/** While the form is on its way to the chosen step: its timeout, and where the page was scrolled to. */
let way;

createControls();
readUrl();
foldGroups();
form.addEventListener('input', handleInput);
form.addEventListener('submit', (event) => event.preventDefault());
form.addEventListener('reset', () => setTimeout(handleReset));
isDark.addEventListener('change', apply);
themeSheet.addEventListener('load', apply);
addEventListener('hashchange', handleHashChange);
document.querySelector('#restart').addEventListener('click', () => mount());
document.querySelector('#clear').addEventListener('click', clearLog);
document
  .querySelector('#copy')
  .addEventListener('click', () => void copy(code.textContent, 'Code'));
document.querySelector('#copy-link').addEventListener('click', () => void copy(toUrl(), 'Link'));
formats.addEventListener('input', apply);
checkAnswers();
mount({ keepsApplication: true });
void loadChoices();

function createControls() {
  const inForm = steps.filter(({ isSent }) => !isSent);
  const sent = steps.filter(({ isSent }) => isSent);
  addOptions('step', 'The form', inForm.map(toStepOption));
  addOptions('step', 'After the submission, with made-up data', sent.map(toStepOption));
  addOptions('outcome', undefined, [['', 'Automatic'], ...outcomes.map(toOutcomeOption)]);
  for (const [name, text] of colors) addControl('#colors', name, text, { type: 'color' });
  for (const [name, text, min, max, value] of sizes) {
    const label = addControl('#sizes', name, text, { type: 'range', min, max, value });
    const output = document.createElement('output');
    output.htmlFor = name;
    label.append(' ', output);
  }
}

/** The form begins with its first step by itself. */
function toStepOption({ id, label }) {
  return [id === 'start' ? '' : id, label];
}

function toOutcomeOption({ tag }) {
  return [tag, tag.charAt(0).toUpperCase() + tag.slice(1)];
}

function addOptions(name, groupLabel, options) {
  const select = form.elements.namedItem(name);
  const group = groupLabel ? document.createElement('optgroup') : select;
  if (groupLabel) {
    group.label = groupLabel;
    select.append(group);
  }
  for (const [value, text] of options) group.append(new Option(text, value));
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

/** On a phone, folded choices leave the screen to the application. */
function foldGroups() {
  if (matchMedia('(width >= 60rem)').matches) return;
  for (const group of form.querySelectorAll('details')) group.open = false;
}

/** Choices that differ from their default. A color and a size differ once they are changed: until then, they follow the theme. */
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
  if (!location.hash.startsWith('#prefill=')) {
    // A link to a heading has replaced the typed answers in the URL.
    writeUrl();
    return;
  }
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
    // Answers that were typed just before must not replace this choice.
    clearTimeout(typing);
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
  showProblems(problemList, read.problems);
  if (isValid) answers = read.answers;
  return isValid;
}

function showProblems(list, problems) {
  // The same problems are not announced again.
  if (list.textContent === problems.join('')) return;
  const rows = problems.map((problem) => {
    const row = document.createElement('p');
    row.textContent = problem;
    return row;
  });
  list.replaceChildren(...rows);
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

/**
 * Replaces the element by one that begins with the current choices.
 *
 * @param options with `keepsApplication`, an application that this browser has sent to the sandbox stays open.
 */
function mount({ keepsApplication = false } = {}) {
  const element = document.createElement('funding-application');
  // The playground starts over with each change, and its URL has its choices.
  element.setAttribute('draft', 'off');
  element.setAttribute('history', 'off');
  const choices = readChoices();
  const wanted = findStep(choices);
  const outcome = choices.get('outcome');
  const prefill = toPrefill(answers, outcome);
  element.prefill = wanted.id === 'start' ? prefill : withMadeUp(prefill);
  if (choices.has('startPage')) element.settings = { startPage: false };
  if (wanted.isSent) {
    element.api = createMadeUpApi({ bffUrl, trackingUrl: `${location.origin}/lender`, outcome });
  }
  for (const name of eventNames) element.addEventListener(name, addToLog);
  let wasSent = false;
  // An application of an earlier page causes no event.
  element.addEventListener('funding-submitted', () => (wasSent = true));
  element.addEventListener('funding-step', ({ step }) => {
    const isRestored = isSentStep(step) && !wanted.isSent && !wasSent;
    wasSent ||= isSentStep(step);
    if (element !== stage.firstElementChild) return;
    if (isRestored) void replaceApplication(element, keepsApplication);
    else lead(element, step, wanted);
  });
  arrive();
  const { scrollX, scrollY } = window;
  way = { scrollX, scrollY, timer: setTimeout(arrive, longestWayMs) };
  // Nothing moves while there is no form.
  stage.style.minBlockSize = `${stage.offsetHeight}px`;
  // Hidden until the step shows: the focus stays in the choices, and the steps before it are not announced.
  if (wanted.id !== 'start') stage.classList.add('on-the-way');
  stepNote.textContent = toStepNote(wanted);
  outcomeHint.textContent = toOutcomeHint(outcome);
  stage.replaceChildren(element);
  apply();
  stopAtErrors(element);
}

function findStep(choices) {
  const id = choices.get('step') ?? 'start';
  return steps.find((step) => step.id === id);
}

function toStepNote({ id, isSent }) {
  if (isSent) {
    return 'Made up: this page answers in place of the BFF, without the wait. Nothing that you enter or upload is sent.';
  }
  return id === 'start'
    ? 'Live: an application that you submit goes to the sandbox.'
    : 'Made-up answers fill in what the known answers leave out. An application that you submit goes to the sandbox.';
}

function toOutcomeHint(outcome) {
  if (!outcome) return automaticOutcome;
  const { description } = outcomes.find(({ tag }) => tag === outcome);
  return `${description} The sandbox reads the tag [${outcome}] in the business name.`;
}

/** Leads the form to the wanted step as an applicant gets there, and with the same buttons. */
function lead(element, step, wanted) {
  if (!way) return;
  if (wanted.id === 'start' || wanted.id === step) arrive();
  else if (!isSentStep(step)) element.shadowRoot.querySelector('[part="button"]').click();
  // A BFF without a bank connection has no such step.
  else if (!element.goTo(wanted.id)) arrive();
}

function isSentStep(step) {
  return steps.some(({ id, isSent }) => isSent && id === step);
}

/** The session of this browser has an application already, for example from the partner's page, which a choice closes. */
async function replaceApplication(element, keepsApplication) {
  const sentence = 'This browser has an application in the sandbox.';
  if (keepsApplication) {
    stepNote.textContent = `${sentence} “Start over” closes it and begins another.`;
    arrive();
    return;
  }
  try {
    await element.finish();
    if (element === stage.firstElementChild) mount({ keepsApplication: true });
  } catch {
    stepNote.textContent = `${sentence} The BFF didn’t close it.`;
    arrive();
  }
}

/** Known answers that the form doesn't take end the way at their step. */
function stopAtErrors(element) {
  if (!way || element !== stage.firstElementChild) return;
  if (element.shadowRoot?.querySelector('[part="error-summary"]')) arrive();
  else requestAnimationFrame(() => stopAtErrors(element));
}

function arrive() {
  if (!way) return;
  clearTimeout(way.timer);
  stage.classList.remove('on-the-way');
  stage.style.removeProperty('min-block-size');
  // Each step scrolls to its heading, and the reader is at the choices.
  scrollTo(way.scrollX, way.scrollY);
  way = undefined;
}

function apply() {
  const choices = readChoices();
  const element = stage.firstElementChild;
  const preset = choices.get('preset');
  themeSheet.disabled = !preset;
  const href = `/themes/${preset}.css`;
  // By the HTML standard, the same URL loads again, and the load event leads here again.
  if (preset && themeSheet.getAttribute('href') !== href) themeSheet.setAttribute('href', href);
  for (const name of propertyNames) element.style.removeProperty(name);
  for (const [name, value] of toProperties(choices)) element.style.setProperty(name, value);
  setAttribute(element, 'theme', choices.get('scheme'));
  setAttribute(element, 'locale', choices.get('locale'));
  setAttribute(element, 'heading-level', choices.get('heading'));
  const scheme = choices.get('scheme') ?? (preset === 'night' ? 'dark' : undefined);
  setAttribute(stage, 'data-scheme', scheme);
  setAttribute(stage, 'data-width', choices.get('width'));
  const isDarkNow = scheme ? scheme === 'dark' : isDark.matches;
  showDefaults(isDarkNow);
  showProblems(
    contrastList,
    listContrastProblems((name) => readColor(name, isDarkNow), choices),
  );
  const prefill = toPrefill(answers, choices.get('outcome'));
  code.textContent = toCode(readFormat(), { choices, prefill, bffUrl, themes });
  writeUrl();
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

function readFormat() {
  return formats.querySelector(':checked').value;
}

/** The link to the current choices. */
function toUrl() {
  const choices = readChoices();
  const query = new URLSearchParams([...choices]);
  if (readFormat() !== 'html') query.set('format', readFormat());
  const hash = new URLSearchParams();
  if (choices.get('answers') === 'own' && answers) hash.set('prefill', JSON.stringify(answers));
  const url = new URL(location.pathname, location.origin);
  url.search = query.toString();
  url.hash = hash.toString();
  return url.href;
}

function writeUrl() {
  // WebKit throws when a page replaces its URL more than 100 times in 10 seconds, as a range does.
  try {
    history.replaceState(history.state, '', toUrl());
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
