// The playground: the choices are in the URL, and the element, its code, and the list of events follow them.

const bffUrl = document.body.dataset.bffUrl;
const form = document.querySelector('.controls');
const stage = document.querySelector('#stage');
const themeSheet = document.querySelector('#theme');
const code = document.querySelector('#code');
const log = document.querySelector('#log');

/** Custom properties with a color. The values are those of the light appearance, as hexadecimal digits. */
const colors = [
  ['accent', 'Accent', '#005e61'],
  ['on-accent', 'Text on accent', '#ffffff'],
  ['text', 'Text', '#1f1c18'],
  ['surface', 'Inputs', '#ffffff'],
  ['border', 'Borders', '#7d776e'],
  ['focus', 'Focus ring', '#005e61'],
];
/** Custom properties in pixels: minimum, maximum, default. */
const sizes = [
  ['radius', 'Corner radius', 0, 24, 8],
  ['font-size', 'Text size', 16, 22, 17],
  ['unit', 'Spacing unit', 3, 6, 4],
];
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

/** Invented answers. */
const business = {
  fundingNeed: { amount: 75000, reason: 'Equipment' },
  business: {
    name: 'Harbor Bakery LLC',
    type: 'LLC',
    industry: 'Food & Beverage',
    address: { street: '12 Wharf Street', city: 'Portland', state: 'ME', zip: '04101' },
    annualRevenue: 640000,
    foundedMonth: 3,
    foundedYear: 2019,
  },
};
const everything = {
  ...business,
  owner: {
    firstName: 'Dana',
    lastName: 'Example',
    email: 'dana@example.com',
    phone: '2025550100',
    homeSameAsBusiness: true,
    creditScore: '680-719',
    ownershipPercent: 100,
    otherManagers: false,
    birthDate: { month: 7, day: 2, year: 1984 },
  },
};

createControls();
readUrl();
form.addEventListener('input', handleChange);
form.addEventListener('reset', () => setTimeout(handleReset));
document.querySelector('#restart').addEventListener('click', mount);
document.querySelector('#clear').addEventListener('click', () => log.replaceChildren());
document.querySelector('#copy').addEventListener('click', () => void copyCode());
document.querySelector('#formats').addEventListener('input', showCode);
mount();

function createControls() {
  for (const [name, text, value] of colors) {
    addControl('#colors', name, text, { type: 'color', value });
  }
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

/** Choices that differ from their default. A color or a size counts once somebody has changed it. */
function readChoices() {
  const choices = new Map();
  for (const control of form.elements) {
    if (!control.name) continue;
    const initial = control.tagName === 'SELECT' ? '' : control.getAttribute('value');
    if (control.value !== initial) choices.set(control.name, control.value);
  }
  return choices;
}

function readUrl() {
  for (const [name, value] of new URLSearchParams(location.search)) {
    const control = form.elements.namedItem(name);
    if (!control) continue;
    const before = control.value;
    control.value = value;
    // A value that the list does not have.
    if (control.value === '' && value !== '') control.value = before;
  }
}

function handleChange(event) {
  apply();
  const startsOver = ['answers', 'outcome', 'heading'];
  if (startsOver.includes(event.target.name)) mount();
}

function handleReset() {
  apply();
  mount();
}

/** Replaces the element. Known answers are used when a form starts. */
function mount() {
  const element = document.createElement('funding-application');
  // The playground starts over with each change, and its URL has its choices.
  element.setAttribute('draft', 'off');
  element.setAttribute('history', 'off');
  const level = readChoices().get('heading');
  if (level) element.setAttribute('heading-level', level);
  element.prefill = toPrefill(readChoices());
  for (const name of events) element.addEventListener(name, addToLog);
  stage.replaceChildren(element);
  apply();
}

function toPrefill(choices) {
  const answers = { business, all: everything }[choices.get('answers')];
  const tag = choices.get('outcome');
  if (!answers && !tag) return undefined;
  if (!tag) return answers;
  const name = `${business.business.name} [${tag}]`;
  return { ...answers, business: { ...answers?.business, name } };
}

function apply() {
  const choices = readChoices();
  const element = stage.firstElementChild;
  const preset = choices.get('preset');
  themeSheet.disabled = !preset;
  if (preset) themeSheet.href = `/themes/${preset}.css`;
  for (const name of listProperties()) element.style.removeProperty(name);
  for (const [name, value] of toProperties(choices)) element.style.setProperty(name, value);
  setAttribute(element, 'theme', choices.get('scheme'));
  setAttribute(element, 'locale', choices.get('locale'));
  setAttribute(stage, 'data-scheme', choices.get('scheme') ?? (preset === 'night' && 'dark'));
  setAttribute(stage, 'data-width', choices.get('width'));
  for (const [name] of sizes) {
    const output = form.querySelector(`output[for="${name}"]`);
    output.value = `${form.elements.namedItem(name).value} px`;
  }
  const query = new URLSearchParams([...choices]).toString();
  history.replaceState(history.state, '', query ? `?${query}` : location.pathname);
  showCode();
}

function setAttribute(element, name, value) {
  if (value) element.setAttribute(name, value);
  else element.removeAttribute(name);
}

function listProperties() {
  return [...colors, ...sizes].map(([name]) => `--funding-${name}`).concat('--funding-font-family');
}

function toProperties(choices) {
  const properties = [];
  for (const [name] of colors) {
    if (choices.has(name)) properties.push([`--funding-${name}`, choices.get(name)]);
  }
  for (const [name] of sizes) {
    if (choices.has(name)) properties.push([`--funding-${name}`, `${choices.get(name)}px`]);
  }
  if (choices.has('font')) properties.push(['--funding-font-family', choices.get('font')]);
  return properties;
}

function addToLog(event) {
  const fields = {};
  for (const name of Object.getOwnPropertyNames(event)) {
    if (name !== 'isTrusted') fields[name] = event[name];
  }
  const row = document.createElement('li');
  const time = document.createElement('time');
  time.textContent = new Date().toLocaleTimeString('en-US', { hour12: false });
  const name = document.createElement('strong');
  name.textContent = event.type;
  const detail = document.createElement('span');
  detail.textContent = Object.keys(fields).length > 0 ? JSON.stringify(fields) : '';
  row.append(time, name, detail);
  log.prepend(row);
}

function showCode() {
  const format = document.querySelector('[name="format"]:checked').value;
  code.textContent = { html: toHtml, react: toReact, vue: toVue }[format](readChoices());
}

function toCss(choices) {
  const lines = toProperties(choices).map(([name, value]) => `  ${name}: ${value};`);
  return lines.length > 0 ? `funding-application {\n${lines.join('\n')}\n}` : '';
}

function toAttributes(choices) {
  const attributes = [
    ['theme', choices.get('scheme')],
    ['locale', choices.get('locale')],
    ['heading-level', choices.get('heading')],
  ];
  return attributes
    .filter(([, value]) => value)
    .map(([name, value]) => ` ${name}="${value}"`)
    .join('');
}

function indent(text, spaces) {
  return text.replaceAll('\n', `\n${' '.repeat(spaces)}`);
}

function toHtml(choices) {
  const preset = choices.get('preset');
  const css = toCss(choices);
  const prefill = toPrefill(choices);
  return [
    preset && `<link rel="stylesheet" href="${location.origin}/themes/${preset}.css">`,
    css && `<style>\n${css}\n</style>`,
    `<script type="module" src="${bffUrl}/widget/funding-application.js"></script>`,
    `<funding-application${toAttributes(choices)}></funding-application>`,
    prefill &&
      `<script type="module">\n  document.querySelector('funding-application').prefill = ${indent(JSON.stringify(prefill, undefined, 2), 2)};\n</script>`,
  ]
    .filter(Boolean)
    .join('\n');
}

function toReact(choices) {
  const css = [
    choices.get('preset') && `/* Copy ${choices.get('preset')}.css from examples/themes. */`,
    toCss(choices),
  ]
    .filter(Boolean)
    .join('\n');
  const prefill = toPrefill(choices);
  return `${css ? `/* funding.css */\n${css}\n\n/* Funding.tsx */\n` : ''}import 'funding-application/react';
${css ? "import './funding.css';\n" : ''}${prefill ? `\nconst prefill = ${JSON.stringify(prefill, undefined, 2)};\n` : ''}
export function Funding() {
  return (
    <funding-application
      bff-url="${bffUrl}"${toAttributes(choices)}${prefill ? '\n      prefill={prefill}' : ''}
      onfunding-submitted={({ reference }) => console.log(reference)}
    />
  );
}
`;
}

function toVue(choices) {
  const css = toCss(choices);
  const prefill = toPrefill(choices);
  const end = '</script>';
  return `<script setup lang="ts">
import 'funding-application/vue';
${prefill ? `\nconst prefill = ${JSON.stringify(prefill, undefined, 2)};\n` : ''}${end}

<template>
  <funding-application bff-url="${bffUrl}"${toAttributes(choices)}${prefill ? ' :prefill.prop="prefill"' : ''} />
</template>
${css ? `\n<style>\n${css}\n</style>\n` : ''}`;
}

async function copyCode() {
  await navigator.clipboard.writeText(code.textContent);
  const status = document.querySelector('#copied');
  status.textContent = 'Copied';
  setTimeout(() => {
    status.textContent = '';
  }, 2_000);
}
