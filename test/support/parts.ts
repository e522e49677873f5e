// Whether a theme reaches everything it was promised: each element of a kind is a `::part()` of that name (docs/element.md).

import { expect } from '@open-wc/testing';
import type { Mounted } from './mount-widget.ts';

const kinds = {
  heading: 'h2',
  progress: '.progress',
  field: 'fieldset.field, .field:has(> :is(label, .question > label))',
  label: 'label:not(.choice, .button), legend.label, p.label',
  hint: '.hint',
  error: '.error',
  input: '.control',
  choice: '.choice',
  listbox: '.listbox',
  button: '.button',
  secondary: '.button.secondary',
  link: '.quiet',
  'error-summary': '.summary',
  notice: '.notice',
  answers: 'dl',
  reference: '.reference',
  'drop-zone': '.drop',
  file: '.file',
  offers: '.offers, .comparison',
  offer: '.offer',
} as const;

/** What is on the page for programs only, and never seen, is nobody's to restyle. */
export function expectParts({ root }: Pick<Mounted, 'root'>): void {
  const without = Object.entries(kinds).flatMap(([part, selector]) =>
    [...root.querySelectorAll(selector)]
      .filter((candidate) => !candidate.part.contains(part) && !candidate.closest('.trap'))
      .map((candidate) => `${part}: ${candidate.outerHTML.slice(0, 80)}`),
  );
  expect(without, 'without its part').to.deep.equal([]);
}
