import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as fc from 'fast-check';
import { build, type Rolldown } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod/mini';
import { toFieldErrors } from '../../../shared/application/field-errors.ts';
import { toNullPrototype } from '../../../widget/flow/validation.ts';
import config from '../../../vite.config.ts';
import * as mini from '../../../widget/schemas/mini.ts';
import { createFullApplication, createMinimalApplication } from '../../support/applications.ts';
import { createConfiguration } from '../../support/configuration.ts';
import { acceptedStatus, createSession } from '../../support/fake-funding-api.ts';
import { schemas } from './schemas.ts';

// A test in the same process that imports `zod` sets the language of messages for `zod/mini` too.
const { localeError } = z.config();
beforeAll(() => void z.config({ localeError: undefined }));
afterAll(() => void z.config({ localeError }));

type Name = keyof typeof schemas;
type Issues = Parameters<typeof toFieldErrors>[0];
interface Parser {
  safeParse(value: unknown): { success: boolean; data?: unknown; error?: { issues: Issues } };
}

const application = createFullApplication();
const minimal = createMinimalApplication();
const document = {
  number: 1,
  name: 'march.pdf',
  category: 'bank-statements',
  bytes: 2048,
  status: 'rejected',
  delayed: false,
  problem: 'document-infected',
};
const offer = {
  id: 'a',
  product: 'Term loan',
  amount: 50_000,
  termMonths: 12,
  paymentFrequency: null,
  paymentAmount: 1240.5,
  monthlyRate: null,
  aprLow: 18.2,
  aprHigh: 24.9,
  feeLow: 0,
  feeHigh: null,
  disclosures: 'Every word.',
  totalCost: 55_000,
  centsOnTheDollar: 1.1,
  totalInterest: 5000,
};
const consent = { id: 'terms', version: '1', label: 'Terms', text: 'The terms.', required: true };
const link = { label: 'Terms of use', url: 'https://partner.example/terms' };
const problem = { type: 'about:blank', title: 'No', status: 400, code: 'too-soon', requestId: 'r' };

/** What each schema takes; everything else is made of these. */
const right: Readonly<Record<Name, readonly unknown[]>> = {
  applicationStatus: [acceptedStatus],
  assetReport: [{ report: { asset_report_id: 'a', items: [{ accounts: [{ balance: 1 }] }] } }],
  assetReportStatus: [{ status: 'delivered', delayed: false }],
  configuration: [createConfiguration({ consents: [{ ...consent, links: [link, link] }] })],
  contactAnswer: [{ contact: 'enabled' }],
  documentStatus: [document],
  offers: [{ decision: 'qualified', offers: [offer, offer], checkedAt: 'now', trackingUrl: 'u' }],
  problem: [{ ...problem, errors: [{ pointer: '/owner/ssn', code: 'ssn' }] }],
  session: [createSession({ application: acceptedStatus, contact: { status: 'received' } })],
  ended: [undefined],
  fundingNeed: [application.fundingNeed],
  business: [application.business, minimal.business],
  strictBusiness: [application.business],
  owner: [application.owner, minimal.owner],
  strictOwner: [application.owner],
  signature: [application.signature],
  application: [application],
  corners: [
    {
      plain: '',
      worded: 'ab',
      explained: 'b',
      figure: 2.5,
      last: 4,
      list: [true, null],
      either: 2,
      mended: 'yes',
      mendedObject: { name: 'Dana', more: 1 },
      nothing: undefined,
      open: { start: 1, end: 2, more: [] },
    },
  ],
};

/** What hardly ever comes about by chance. */
const seldom: readonly (readonly [Name, unknown])[] = [
  ...['\ud83d\ude00', '\ud83d\ude00\ud83d\ude00\ud83d\ude00', '\ud83d\ude00xxx', 'x\ud83d'].map(
    (worded) => ['corners', { worded }] as const,
  ),
  ['corners', JSON.parse('{"open": {"start": 1, "__proto__": {"polluted": true}}}')],
  ['fundingNeed', JSON.parse('{"amount": 1, "reason": "Equipment", "__proto__": {}}')],
  ['business', { ...application.business, foundedMonth: 2, foundedDay: 31, more: 1 }],
];

/** Values that one check or another looks at twice. */
const texts =
  '| | x |a|yes|one|tell|x\u0000|\ud83d|\ud83d\ude00|\ud83d\ude00\ud83d\ude00|Nobody|2026-02-29|2030-01-01|2015-01-01|1|no mail@x'
    .split('|')
    .concat('x'.repeat(81), 'x'.repeat(256));
const figures = [0, -0, 1, -1, 2, 3, 7, 9, 13, 29, 31, 1.5, 2026, 2027, 1e9, 2 ** 53, -(2 ** 53)];
const others = [
  [undefined, null, true, Number.NaN, Infinity, 5n, {}, { length: 3 }, { length: 'x' }],
  [[], ['a'], [1, 2, 3], Array.from({ length: 21 }), new Date(0)],
].flat();
const telling = [...texts, ...figures, ...others];

const keys = ['__proto__', 'constructor', 'toString', 'more', '0', ''];

interface Change {
  /** Which of all the places in the value, counted on beyond their end. */
  readonly place: number;
  readonly how: { readonly value: unknown } | { readonly key: string } | 'remove';
}

const change: fc.Arbitrary<Change> = fc.record({
  place: fc.nat(200),
  how: fc.oneof(
    { arbitrary: fc.constantFrom(...telling).map((value) => ({ value })), weight: 6 },
    { arbitrary: fc.constantFrom(...keys).map((key) => ({ key })), weight: 1 },
    { arbitrary: fc.constant('remove' as const), weight: 2 },
    { arbitrary: fc.jsonValue().map((value) => ({ value })), weight: 1 },
  ),
});

function apply(value: unknown, changes: readonly Change[]): unknown {
  const root = { value: structuredClone(value) };
  for (const { place, how } of changes) {
    const places = listPlaces(root);
    const [holder, key] = places[place % places.length] ?? [root, 'value'];
    if (how === 'remove') Reflect.deleteProperty(holder, key);
    else if ('value' in how) Reflect.set(holder, key, structuredClone(how.value));
    else if (!Array.isArray(holder)) addKey(holder, how.key);
  }
  return root.value;
}

function listPlaces(holder: object): [object, string][] {
  return Object.entries(holder).flatMap(([key, member]) => [
    [holder, key] as [object, string],
    ...(typeof member === 'object' && member !== null ? listPlaces(member) : []),
  ]);
}

/** As `JSON.parse` does, also `__proto__`. */
function addKey(holder: object, key: string): void {
  Object.defineProperty(holder, key, {
    value: { polluted: true },
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

/** What anybody can see of a result. */
function describeResult(parser: Parser, value: unknown) {
  const result = parseOrThrow(parser, value);
  const issues = result.error?.issues ?? [];
  return {
    success: result.success,
    data: result.data,
    prototypes: listPrototypes(result.data),
    issues: issues.map(({ path, message, code }) => ({
      path,
      message,
      isAboutKeys: code === 'unrecognized_keys',
    })),
    fieldErrors: toFieldErrors(issues),
  };
}

function listPrototypes(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return [Object.getPrototypeOf(value), ...Object.values(value).flatMap(listPrototypes)];
}

/** A value nobody can compare with a number, for example, makes both of them throw. */
function parseOrThrow(parser: Parser, value: unknown): ReturnType<Parser['safeParse']> {
  try {
    return parser.safeParse(value);
  } catch {
    return { success: false, data: 'thrown' };
  }
}

describe('the stand-in for zod/mini', () => {
  const folder = mkdtempSync(join(tmpdir(), 'funding-application-'));
  let standIns: Readonly<Record<Name, Parser>>;

  beforeAll(async () => {
    const entry = new URL('schemas.ts', import.meta.url).pathname;
    const output = (await build({
      configFile: false,
      logLevel: 'error',
      ...(config.resolve && { resolve: config.resolve }),
      build: { write: false, lib: { entry, formats: ['es'] } },
    })) as Rolldown.RolldownOutput[];
    const { code } = output[0]!.output[0];
    const file = join(folder, 'schemas.mjs');
    writeFileSync(file, code);
    standIns = ((await import(pathToFileURL(file).href)) as { schemas: typeof standIns }).schemas;
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it.for(Object.keys(right) as Name[])('parses as zod does: %s', (name) => {
    for (const value of right[name]) {
      expect(standIns[name].safeParse(value)).toEqual({ success: true, data: value });
    }
    fc.assert(
      fc.property(
        fc.constantFrom(...right[name]),
        fc.array(change, { maxLength: 4 }),
        fc.boolean(),
        (value, changes, isOwn) => {
          const changed = apply(value, changes);
          const input = isOwn ? toNullPrototype(changed) : changed;

          expect(describeResult(standIns[name], input)).toStrictEqual(
            describeResult(schemas[name], input),
          );
        },
      ),
      { numRuns: 300, seed: 20_261_120 },
    );
  });

  it.for(seldom)('parses as zod does what is seldom: %s %j', ([name, value]) => {
    expect(describeResult(standIns[name], value)).toStrictEqual(
      describeResult(schemas[name], value),
    );
  });

  it('has every function of zod that the widget and what it shares call', () => {
    const files = globSync(['shared/{api,application}/**/*.ts', 'widget/**/*.ts']);
    const used = files.flatMap((file) => {
      const source = stripTypeScriptTypes(readFileSync(file, 'utf8'));
      return [...source.matchAll(/\bz\.(\w+)/g)].map(([, name]) => name!);
    });

    expect(used).toContain('strictObject');
    expect(used.filter((name) => !Object.hasOwn(mini, name))).toEqual([]);
  });
});
