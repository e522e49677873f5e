// The playground's known answers and its code, without a browser.

import { describe, expect, it } from 'vitest';
import {
  answerChecks,
  readAnswers,
} from '../../examples/partner-site/public/playground-answers.js';
import {
  examples,
  listContrastProblems,
  toCode,
  toPrefill,
} from '../../examples/partner-site/public/playground-code.js';
import { industries } from '../../shared/application/industries.ts';
import { stateCodes } from '../../shared/application/states.ts';
import { homeChoicePath } from '../../widget/app/draft.ts';
import { allFields } from '../../widget/app/form-fields.ts';
import { toPrefilledDraft } from '../../widget/form/prefill.ts';

const lists = { industries, states: stateCodes, businessTypes: ['LLC', 'Corporation'] };
const read = (value: unknown) => readAnswers(JSON.stringify(value), lists);

describe('the known answers of the playground', () => {
  it('are those that the element takes', () => {
    const isTyped = ({ path }: { path: string }) =>
      path !== 'consents' && path !== 'signature/name';
    const expected = allFields
      .filter(isTyped)
      .flatMap(({ path }) =>
        path === 'owner/birthDate'
          ? ['month', 'day', 'year'].map((part) => `${path}/${part}`)
          : path,
      );
    expect(listPaths(answerChecks).toSorted()).toEqual(expected.toSorted());
    expect(expected).toContain(homeChoicePath);
  });

  it.each(Object.entries(examples))('accept the example "%s"', (_name, example) => {
    expect(read(example)).toEqual({ answers: example, problems: [] });
    expect(Object.keys(toPrefilledDraft(example)).length).toBeGreaterThan(8);
  });

  it.each([
    ['{', 'This is not JSON.'],
    ['[]', 'The text is not an object.'],
    ['null', 'The text is not an object.'],
    ['"<script>"', 'The text is not an object.'],
    ['{"busines": {}}', 'busines is unknown. Use one of: fundingNeed, business, owner.'],
    ['{"__proto__": {"a": 1}}', '__proto__ is unknown.'],
    ['{"business": 1}', 'business is not an object.'],
    ['{"business": {"nam": "x"}}', 'business.nam is unknown. Use one of: name, type,'],
    ['{"business": {"name": ""}}', 'business.name is not a text.'],
    ['{"business": {"industry": "Robots"}}', 'business.industry is not in the list.'],
    [
      '{"business": {"type": "SARL"}}',
      'business.type is not in the list. Use "LLC", "Corporation".',
    ],
    ['{"business": {"address": {"zip": 4101}}}', 'business.address.zip is not five digits'],
    [
      '{"business": {"foundedMonth": 13}}',
      'business.foundedMonth is not a whole number from 1 to 12.',
    ],
    ['{"owner": {"otherManagers": "no"}}', 'owner.otherManagers is not true or false.'],
    ['{"owner": {"ssn": "123456789"}}', 'owner.ssn is not allowed here'],
    [`{"business": {"name": "${'x'.repeat(300)}"}}`, 'business.name is too long.'],
    ['x'.repeat(50_000), 'The answers are too long.'],
  ])('refuse %.40s by name', (text, problem) => {
    const { answers, problems } = readAnswers(text, lists);
    expect(answers).toBeUndefined();
    expect(problems[0]).toContain(problem);
  });

  it('list at most nine problems', () => {
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`x${index}`, 1]));
    expect(read(many).problems).toHaveLength(9);
    expect(read(many).problems.at(-1)).toBe('And 32 more.');
  });

  it('may be blank, and may have any choice before the configuration is loaded', () => {
    expect(readAnswers(' \n', lists)).toEqual({ problems: [] });
    expect(read({ owner: { creditScore: 'excellent' } }).problems).toEqual([]);
  });
});

describe('the code of the playground', () => {
  it('cannot be ended by an answer', () => {
    const prefill = toPrefill({ business: { name: '</script><b>' } }, 'slow');
    const parts = { choices: new Map(), prefill, bffUrl: 'https://b.example', siteUrl: '' };
    for (const format of ['html', 'vue'] as const) {
      expect(toCode(format, parts)).not.toContain('</script><b>');
      expect(toCode(format, parts)).toContain(String.raw`\u003c/script>\u003cb> [slow]`);
    }
  });
});

describe('the contrast of chosen colors', () => {
  const gray = (value: number) => [value, value, value];
  const list = (accent: number[], chosen = ['accent']) =>
    listContrastProblems(
      (name) => (name === 'accent' ? accent : gray(name === 'text' ? 0 : 255)),
      new Set(chosen),
    ).filter((problem) => problem.includes('Accent'));

  it('is named below the minimum of the theme page', () => {
    // WCAG 2.2: #767676 is the lightest gray with 4.5:1 on white.
    expect(list(gray(0x76))).toEqual([]);
    expect(list(gray(0x77))).toEqual([
      '“Text on accent” has a contrast of 4.4:1 with “Accent”. Use colors with at least 4.5:1.',
      '“Accent” has a contrast of 4.4:1 with the page. Use colors with at least 4.5:1.',
    ]);
  });

  it('does not count for colors that nobody has changed', () => {
    expect(list(gray(0x77), ['text'])).toEqual([]);
  });
});

function listPaths(checks: object, prefix = ''): string[] {
  return Object.entries(checks).flatMap(([name, check]) =>
    typeof check === 'object' ? listPaths(check, `${prefix}${name}/`) : `${prefix}${name}`,
  );
}
