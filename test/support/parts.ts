// Checks that every element of a documented kind has its `::part()` (docs/element.md).

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

/** Ignores elements that are only for assistive technology or scripts, because they are not visible. */
export function expectParts({ root }: Pick<Mounted, 'root'>): void {
  const without = Object.entries(kinds).flatMap(([part, selector]) =>
    [...root.querySelectorAll(selector)]
      .filter((candidate) => !candidate.part.contains(part) && !candidate.closest('.trap'))
      .map((candidate) => `${part}: ${candidate.outerHTML.slice(0, 80)}`),
  );
  expect(without, 'without its part').to.deep.equal([]);
}
