// The playground's known answers and its code, without a browser.

import { describe, expect, it } from 'vitest';
import type { ZodMiniType } from 'zod/mini';
import {
  answerChecks,
  readAnswers,
} from '../../examples/partner-site/public/playground-answers.js';
import { createMadeUpApi, outcomes } from '../../examples/partner-site/public/playground-bff.js';
import {
  examples,
  listContrastProblems,
  toCode,
  toPrefill,
  withMadeUp,
} from '../../examples/partner-site/public/playground-code.js';
import { scenarios } from '../../sandbox/scenarios.ts';
import { documentStatusSchema } from '../../shared/api/attachments.ts';
import { offersSchema } from '../../shared/api/offers.ts';
import { sessionSchema } from '../../shared/api/session.ts';
import { createApplicationSchemas } from '../../shared/application/application.ts';
import { industries } from '../../shared/application/industries.ts';
import { requirableFields } from '../../shared/application/lists.ts';
import { stateCodes } from '../../shared/application/states.ts';
import type { Result } from '../../widget/api/funding-api.ts';
import { homeChoicePath } from '../../widget/app/draft.ts';
import { allFields } from '../../widget/app/form-fields.ts';
import { toPrefilledDraft } from '../../widget/form/prefill.ts';

const lists = { industries, states: stateCodes, businessTypes: ['LLC', 'Corporation'] };
const read = (value: unknown) => readAnswers(JSON.stringify(value), lists);

const schemas = createApplicationSchemas({
  fundingReasons: ['Equipment'],
  businessTypes: ['LLC'],
  creditScores: ['680-719'],
  requiredFields: requirableFields,
  now: () => new Date('2026-11-20T12:00:00Z'),
});

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

  const numbers = [-1, 0, 1, 12, 13, 31, 32, 100, 101, 1799, 1800, 9999, 10_000];
  const largeNumbers = [10_000_000, 10_000_001, 999_999_999, 1_000_000_000, 1.5];
  const texts = [0, 1, 80, 81, 100, 101, 255, 256].map((length) => 'x'.repeat(length));
  const email = (length: number) => `${'x'.repeat(length - 'x@example.com'.length)}x@example.com`;
  const addressFields = ['street', 'suite', 'city', 'zip'].map((name) => `address/${name}`);
  const limits: [part: 'fundingNeed' | 'business' | 'owner', paths: string[]][] = [
    ['fundingNeed', ['amount']],
    ['business', ['name', 'annualRevenue', 'foundedMonth', 'foundedDay', 'foundedYear']],
    ['business', ['employees', ...addressFields]],
    ['owner', ['firstName', 'lastName', 'email', 'ownershipPercent', 'otherManagers']],
  ];
  const cases = limits.flatMap(([part, paths]) => paths.map((path) => [part, path] as const));

  it.each(cases)('have the limits of the form for %s/%s', (part, path) => {
    const values = [...numbers, ...largeNumbers, ...texts, email(254), email(255), 'a@b.c', true];
    for (const value of [...values, '04101', '04101-1234', '0410']) {
      const nested = path
        .split('/')
        .reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
      const { success } = toField(schemas[part], path).safeParse(value);
      expect([value, read({ [part]: nested }).problems.length === 0]).toEqual([value, success]);
    }
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

describe('the made-up answers of the playground', () => {
  it('fill in the whole form', () => {
    const { fundingNeed, business, owner } = withMadeUp(undefined);
    const { birthDate, homeSameAsBusiness, ...typed } = owner;
    const born = `${birthDate.year}-0${birthDate.month}-0${birthDate.day}`;
    const phoneAndSsn = { birthDate: born, ssn: typed.ssn.replaceAll('-', '') };
    expect(homeSameAsBusiness).toBe(true);
    expect(() => schemas.fundingNeed.parse(fundingNeed)).not.toThrow();
    expect(() =>
      schemas.business.parse({ ...business, taxId: business.taxId.replaceAll('-', '') }),
    ).not.toThrow();
    expect(() => schemas.owner.parse({ ...typed, ...phoneAndSsn })).not.toThrow();
  });

  it('do not replace a known answer', () => {
    const known = { business: { name: 'Own', address: { city: 'Bath' } }, owner: { phone: '' } };
    const { business, owner } = withMadeUp(known);
    expect(business).toMatchObject({ name: 'Own', address: { city: 'Bath', state: 'ME' } });
    expect(owner.phone).toBe('');
  });

  it('have a home address of its own if the known answers have one', () => {
    const { owner } = withMadeUp({ owner: { homeAddress: { city: 'Bath' } } });
    expect(owner.homeSameAsBusiness).toBe(false);
    expect(owner.homeAddress).toMatchObject({ city: 'Bath', zip: '04101' });
  });
});

describe('the BFF that the playground makes up', () => {
  const create = (outcome = '') => {
    const trackingUrl = 'https://p.example/lender';
    return createMadeUpApi({ bffUrl: 'https://b.example', trackingUrl, outcome });
  };
  const tags = ['', ...scenarios.map(({ tag }) => tag)];

  it('knows each outcome of the sandbox', () => {
    expect(Object.keys(outcomes).toSorted()).toEqual(tags.toSorted());
  });

  it.each(tags)('opens a session like the BFF for "%s"', async (tag) => {
    const session = toValue(await create(tag).openSession());
    expect(sessionSchema.parse(session)).toEqual(session);
  });

  it.each(['not qualified', 'untidy offers', 'no offers'])('has the offers "%s"', async (tag) => {
    const offers = toValue(await create(tag).getOffers());
    expect(offersSchema.parse(offers)).toEqual(offers);
  });

  it.each(['lost answer', 'outage'])('has no decision with "%s"', async (tag) => {
    expect(await create(tag).getOffers()).toMatchObject({ code: 'application-pending' });
  });

  it('has offers whose figures agree', async () => {
    const { offers } = toValue(await create('many offers').getOffers());
    expect(offers).toHaveLength(8);
    for (const { amount, totalCost, totalInterest, paymentAmount } of offers) {
      expect(totalCost).toBe(amount! + totalInterest!);
      expect(totalCost! % paymentAmount!).toBe(0);
    }
  });

  it('remembers the documents of the page', async () => {
    const api = create();
    const file = new File(['abc'], 'check.pdf');
    const { signal } = new AbortController();
    const uploaded = toValue(
      await api.uploadDocument({ file, category: '', onProgress: () => undefined, signal }),
    );
    expect(documentStatusSchema.parse(uploaded)).toEqual(uploaded);
    const changed = toValue(await api.changeDocumentCategory(3, 'voided-check'));
    expect(changed).toMatchObject({ number: 3, category: 'voided-check' });
    await api.removeDocument(3);
    expect(toValue(await api.getSession()).documents).toHaveLength(2);
  });

  it('has no application once the applicant has closed it', async () => {
    const api = create();
    await api.endSession();
    expect(toValue(await api.getSession()).application).toBeNull();
    await api.submitApplication('{}', 'key');
    expect(toValue(await api.getSession()).application).not.toBeNull();
  });
});

describe('the code of the playground', () => {
  it('contains the whole style sheet for a page without a build', () => {
    const choices = new Map([
      ['preset', 'night'],
      ['accent', '#a02060'],
    ]);
    const sheet = '/* Night */\nfunding-application {\n  color: red;\n}\n';
    const parts = { choices, bffUrl: 'https://b.example', themes: { night: sheet } };
    // The chosen color is after the style sheet, and so replaces its color.
    expect(toCode('html', parts)).toContain(
      `<style>\n${sheet}\nfunding-application {\n  --funding-accent: #a02060;\n}\n</style>`,
    );
  });

  it.each([
    ['html', `<funding-application settings='{ "startPage": false }'>`],
    ['react', 'settings={{ startPage: false }}'],
    ['vue', ':settings.prop="{ startPage: false }"'],
  ] as const)('leaves out the start page for %s', (format, expected) => {
    const parts = { bffUrl: 'https://b.example', themes: {} };
    const choices = new Map([['startPage', 'false']]);
    expect(toCode(format, { ...parts, choices })).toContain(expected);
    expect(toCode(format, { ...parts, choices: new Map() })).not.toContain('startPage');
  });

  it('cannot be ended by an answer', () => {
    const prefill = toPrefill({ business: { name: '</script><b>' } }, 'slow');
    const parts = { choices: new Map(), prefill, bffUrl: 'https://b.example', themes: {} };
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

/** The schema of one field. */
function toField(schema: ZodMiniType, path: string): ZodMiniType {
  return path.split('/').reduce<ZodMiniType>((outer, name) => {
    const { shape } = outer as unknown as { shape: Record<string, ZodMiniType> };
    return shape[name]!;
  }, schema);
}

function toValue<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(result.code);
  return result.value;
}

function listPaths(checks: object, prefix = ''): string[] {
  return Object.entries(checks).flatMap(([name, check]) =>
    typeof check === 'object' ? listPaths(check, `${prefix}${name}/`) : `${prefix}${name}`,
  );
}
