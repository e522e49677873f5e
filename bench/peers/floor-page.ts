// A form of plain HTML with the questions of the element, for comparison: native controls, their own validation, and one small
// script. It stores no draft, formats no answers, and has no offers.

import { documentCategories } from '../../shared/application/document-categories.ts';
import { industries } from '../../shared/application/industries.ts';
import { states } from '../../shared/application/states.ts';

interface Question {
  /** The name of the same field in the element. */
  readonly name: string;
  readonly label: string;
  readonly type?: string;
  readonly autocomplete?: string;
  readonly pattern?: string;
  /** Values with their labels, of a `<select>`. */
  readonly choices?: readonly (readonly [string, string])[];
  /** Values of a `<datalist>`. */
  readonly suggestions?: readonly string[];
}

const months =
  'January February March April May June July August September October November December';
const stateChoices = states.map(({ code, name }) => [code, name] as const);

const steps: readonly { readonly title: string; readonly questions: readonly Question[] }[] = [
  {
    title: 'Funding need',
    questions: [
      { name: 'fundingNeed/amount', label: 'Amount in dollars', pattern: '[$0-9,.]+' },
      {
        name: 'fundingNeed/reason',
        label: 'Reason',
        choices: toChoices(['Working Capital', 'Expansion', 'Equipment', 'Inventory', 'Other']),
      },
    ],
  },
  {
    title: 'Your business',
    questions: [
      { name: 'business/name', label: 'Legal name', autocomplete: 'organization' },
      {
        name: 'business/type',
        label: 'Type',
        choices: toChoices(['LLC', 'Corporation', 'Partnership', 'Sole Proprietorship', 'Other']),
      },
      { name: 'business/industry', label: 'Industry', suggestions: industries },
      { name: 'business/taxId', label: 'Tax ID', pattern: '[0-9]{2}-?[0-9]{7}' },
      ...createAddress('business/address', 'work'),
      { name: 'business/annualRevenue', label: 'Annual revenue', pattern: '[$0-9,.]+' },
      {
        name: 'business/foundedMonth',
        label: 'Month it was founded',
        choices: toChoices(months.split(' ')),
      },
      { name: 'business/foundedYear', label: 'Year it was founded', pattern: '[0-9]{4}' },
      { name: 'business/employees', label: 'Employees', type: 'number' },
    ],
  },
  {
    title: 'You',
    questions: [
      { name: 'owner/firstName', label: 'First name', autocomplete: 'given-name' },
      { name: 'owner/lastName', label: 'Last name', autocomplete: 'family-name' },
      { name: 'owner/email', label: 'Email', type: 'email', autocomplete: 'email' },
      { name: 'owner/phone', label: 'Phone', type: 'tel', autocomplete: 'tel' },
      ...createAddress('owner/homeAddress', 'home'),
      { name: 'owner/birthDate', label: 'Date of birth', type: 'date', autocomplete: 'bday' },
      {
        name: 'owner/ssn',
        label: 'Social Security number',
        pattern: '[0-9]{3}-?[0-9]{2}-?[0-9]{4}',
      },
      {
        name: 'owner/creditScore',
        label: 'Credit score',
        choices: toChoices(['720+', '680-719', '640-679', '600-639', '550-599', 'Below 550']),
      },
      { name: 'owner/ownershipPercent', label: 'Share of the business', pattern: '[0-9]+ ?%?' },
    ],
  },
  {
    title: 'Sign, and add a document',
    questions: [
      { name: 'signature/name', label: 'Type your name to sign', autocomplete: 'name' },
      {
        name: 'category',
        label: 'Category of the document',
        choices: documentCategories.map(({ wire, label }) => [wire, label.en] as const),
      },
      { name: 'file', label: 'Document', type: 'file' },
    ],
  },
];

export function createFloorPage(): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Business funding</title>
<link rel="stylesheet" href="floor-page.css">
<script src="floor-page.js" defer></script>
</head>
<body>
<h1>Business funding</h1>
<form>
<p id="progress" role="status">Step 1 of ${steps.length}</p>
${steps.map(({ title, questions }, index) => createStep(title, questions, index)).join('\n')}
<button type="button" hidden>Back</button>
<button type="submit">Continue</button>
</form>
</body>
</html>
`;
}

function createStep(title: string, questions: readonly Question[], index: number): string {
  return `<fieldset${index === 0 ? '' : ' hidden'}>
<legend tabindex="-1">${title}</legend>
${questions.map(createQuestion).join('\n')}
</fieldset>`;
}

function createQuestion(question: Question): string {
  const { name, label, type = 'text', autocomplete = 'off', pattern } = question;
  const { choices, suggestions } = question;
  const shared = `id="${name}" name="${name}" autocomplete="${autocomplete}" required`;
  const toOption = ([value, text]: readonly [string, string]) =>
    `<option value="${escapeHtml(value)}">${escapeHtml(text)}</option>`;
  const options = choices?.map(toOption).join('');
  const list = `${name}-list`;
  const control = options
    ? `<select ${shared}><option value="">Choose</option>${options}</select>`
    : `<input type="${type}" ${shared}${pattern ? ` pattern="${pattern}"` : ''}${suggestions ? ` list="${list}"` : ''}>`;
  const suggested = suggestions?.map((value) => `<option value="${escapeHtml(value)}">`).join('');
  const datalist = suggested ? `<datalist id="${list}">${suggested}</datalist>` : '';
  return `<label for="${name}">${label}</label>${control}${datalist}`;
}

function createAddress(path: string, kind: 'home' | 'work'): readonly Question[] {
  return [
    { name: `${path}/street`, label: 'Street', autocomplete: `${kind} address-line1` },
    { name: `${path}/city`, label: 'City', autocomplete: `${kind} address-level2` },
    {
      name: `${path}/state`,
      label: 'State',
      autocomplete: `${kind} address-level1`,
      choices: stateChoices,
    },
    {
      name: `${path}/zip`,
      label: 'ZIP code',
      autocomplete: `${kind} postal-code`,
      pattern: '[0-9]{5}(-?[0-9]{4})?',
    },
  ];
}

function toChoices(values: readonly string[]): readonly (readonly [string, string])[] {
  return values.map((value) => [value, value] as const);
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
