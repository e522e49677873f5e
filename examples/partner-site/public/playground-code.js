// The code of the playground: its custom properties, known answers, and the same form for HTML, React, and Vue.

/** Custom properties with a color: their defaults in the light and in the dark appearance, as hexadecimal digits. */
export const colors = [
  ['accent', 'Accent', '#005d5d', '#78d7d6'],
  ['on-accent', 'Text on accent', '#ffffff', '#061414'],
  ['text', 'Text', '#201c17', '#f2eee9'],
  ['surface', 'Inputs', '#ffffff', '#292621'],
  ['border', 'Borders', '#7c766e', '#8b857d'],
  ['focus', 'Focus ring', '#005d5d', '#78d7d6'],
];
/**
 * Pairs of colors that need a contrast, as docs/embed/theme.md says: color, background, and minimum. `page` is what the form is on.
 */
const contrasts = [
  ['on-accent', 'accent', 4.5],
  ['accent', 'page', 4.5],
  ['text', 'page', 7],
  ['text', 'surface', 7],
  ['border', 'page', 3],
  ['focus', 'page', 3],
];
/** Custom properties in pixels: minimum, maximum, default. */
export const sizes = [
  ['radius', 'Corner radius', 0, 24, 8],
  ['font-size', 'Text size', 16, 22, 17],
  ['unit', 'Spacing unit', 3, 6, 4],
];
export const propertyNames = [...colors, ...sizes]
  .map(([name]) => `--funding-${name}`)
  .concat('--funding-font-family');

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
/** By the values of the list "Answers". */
export const examples = { business, all: everything };

/** The answers of an applicant who has filled in the whole form. The SSN is nobody's: the SSA printed it in a brochure. */
const madeUp = {
  ...everything,
  business: { ...everything.business, foundedDay: 14, employees: 12, taxId: '12-3456789' },
  owner: { ...everything.owner, ssn: '219-09-9999', homeAddress: business.business.address },
};

/** Fills in what the known answers leave out, so that the form can continue to a later step. */
export function withMadeUp(answers) {
  const filled = merge(madeUp, answers);
  // The answer to the question before it, as in the element.
  if (answers?.owner?.homeAddress && answers.owner.homeSameAsBusiness === undefined)
    filled.owner.homeSameAsBusiness = false;
  return filled;
}

function merge(base, changes) {
  if (typeof changes !== 'object' || changes === null) return changes ?? base;
  const names = new Set([...Object.keys(base ?? {}), ...Object.keys(changes)]);
  return Object.fromEntries(
    Array.from(names, (name) => [name, merge(base?.[name], changes[name])]),
  );
}

/** @param {Map<string, string>} choices that differ from their default. */
export function toProperties(choices) {
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

/**
 * Sentences about pairs with too little contrast. A pair of which nobody has changed a color is not listed.
 * @param {(name: string) => readonly number[]} readColor red, green, and blue, from 0 to 255
 * @param {{ has(name: string): boolean }} choices
 */
export function listContrastProblems(readColor, choices) {
  const labels = new Map([...colors.map(([name, label]) => [name, label]), ['page', 'the page']]);
  return contrasts
    .filter(([color, background]) => choices.has(color) || choices.has(background))
    .map(([color, background, minimum]) => {
      const contrast = computeContrast(readColor(color), readColor(background));
      // Rounded down: 4.49 is not enough.
      const shown = Math.floor(contrast * 10) / 10;
      const pair = `“${labels.get(color)}” has a contrast of ${shown}:1 with ${background === 'page' ? 'the page' : `“${labels.get(background)}”`}`;
      return contrast < minimum ? `${pair}. Use colors with at least ${minimum}:1.` : '';
    })
    .filter(Boolean);
}

/** WCAG 2.2, contrast ratio. */
function computeContrast(one, other) {
  const [darker, lighter] = [toLuminance(one), toLuminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** WCAG 2.2, relative luminance. */
function toLuminance(color) {
  const [red, green, blue] = color.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The known answers, with the tag of the outcome in the business name. */
export function toPrefill(answers, tag) {
  if (!tag) return answers;
  const name = `${answers?.business?.name ?? business.business.name} [${tag}]`;
  return { ...answers, business: { ...answers?.business, name } };
}

/**
 * @param {'html' | 'react' | 'vue'} format
 * @param {{ choices: Map<string, string>, prefill?: object, bffUrl: string, themes: Readonly<Record<string, string>> }} parts
 */
export function toCode(format, parts) {
  return { html: toHtml, react: toReact, vue: toVue }[format](parts);
}

function toHtml({ choices, prefill, bffUrl, themes }) {
  // A page without a build can't import the style sheet from the package.
  const css = [themes[choices.get('preset')]?.trim(), toCss(choices)].filter(Boolean).join('\n\n');
  return [
    css && `<style>\n${css}\n</style>`,
    `<script type="module" src="${bffUrl}/widget/funding-application.js"></script>`,
    `<funding-application${toAttributes(choices)}></funding-application>`,
    prefill &&
      `<script type="module">\n  document.querySelector('funding-application').prefill = ${toLiteral(prefill, 2)};\n</script>`,
  ]
    .filter(Boolean)
    .join('\n');
}

function toReact({ choices, prefill, bffUrl }) {
  const properties = toProperties(choices);
  const lines = [`bff-url="${bffUrl}"`, ...listAttributes(choices)];
  if (choices.has('startPage')) lines.push('settings={{ startPage: false }}');
  if (properties.length > 0) lines.push('style={theme}');
  if (prefill) lines.push('prefill={prefill}');
  lines.push('onfunding-submitted={({ reference }) => console.log(reference)}');
  const theme =
    properties.length > 0
      ? `\nconst theme = {\n${properties.map(([name, value]) => `  '${name}': '${value}',`).join('\n')}\n};\n`
      : '';
  return `import 'funding-application/react';
${toImport(choices)}${theme}${toConstant(prefill)}
export function Funding() {
  return (
    <funding-application
${lines.map((line) => `      ${line}`).join('\n')}
    />
  );
}
`;
}

function toVue({ choices, prefill, bffUrl }) {
  const css = toCss(choices);
  const lines = [`bff-url="${bffUrl}"`, ...listAttributes(choices)];
  if (choices.has('startPage')) lines.push(':settings.prop="{ startPage: false }"');
  if (prefill) lines.push(':prefill.prop="prefill"');
  lines.push(
    '@funding-submitted="({ reference }: FundingSubmittedEvent) => console.log(reference)"',
  );
  return `<!-- In vite.config.ts: vue({ template: { compilerOptions: { isCustomElement: (tag) => tag === 'funding-application' } } }) -->
<script setup lang="ts">
import 'funding-application/vue';
${toImport(choices)}import type { FundingSubmittedEvent } from 'funding-application';
${toConstant(prefill)}</script>

<template>
  <funding-application
${lines.map((line) => `    ${line}`).join('\n')}
  />
</template>
${css ? `\n<style>\n${css}\n</style>\n` : ''}`;
}

function toConstant(prefill) {
  return prefill ? `\nconst prefill = ${toLiteral(prefill, 0)};\n` : '';
}

/** JSON that may stand in a script of HTML or Vue: `</script>` in an answer would end it. */
function toLiteral(value, spaces) {
  const text = JSON.stringify(value, undefined, 2).replaceAll('<', String.raw`\u003c`);
  return text.replaceAll('\n', `\n${' '.repeat(spaces)}`);
}

function toImport(choices) {
  const preset = choices.get('preset');
  return preset ? `import 'funding-application/themes/${preset}.css';\n` : '';
}

function toCss(choices) {
  const lines = toProperties(choices).map(([name, value]) => `  ${name}: ${value};`);
  return lines.length > 0 ? `funding-application {\n${lines.join('\n')}\n}` : '';
}

function listAttributes(choices) {
  const attributes = [
    ['theme', choices.get('scheme')],
    ['locale', choices.get('locale')],
    ['heading-level', choices.get('heading')],
  ];
  return attributes.filter(([, value]) => value).map(([name, value]) => `${name}="${value}"`);
}

function toAttributes(choices) {
  const attributes = listAttributes(choices);
  if (choices.has('startPage')) attributes.push(`settings='{ "startPage": false }'`);
  return attributes.map((attribute) => ` ${attribute}`).join('');
}
