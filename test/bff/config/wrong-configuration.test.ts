// Every wrong variable and setting: one sentence that names it, with the fix, and no secret.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../../bff/config/config.ts';
import { developmentDataKey, developmentSessionKey } from '../../../bff/config/sandbox-defaults.ts';
import { parseSettings, rulesBeyondSchema } from '../../../bff/config/settings.ts';
import { ConfigurationError, createBff } from '../../../bff/create-bff.ts';
import { applyChange, readGroupedRows, toAssignments } from '../../support/grouped-rows.ts';
import {
  listProblems,
  production,
  settings,
  strongKey,
  validateBySchema,
} from './config-source.ts';

const folder = mkdtempSync(join(tmpdir(), 'wrong-'));
const settingsFile = join(folder, 'settings.json');
writeFileSync(settingsFile, JSON.stringify(settings));
afterAll(() => rmSync(folder, { recursive: true }));

const canary = 'canary-3f9d';
const key = strongKey(7);

/** Values of the placeholders in the tables. */
const values: Readonly<Record<string, string>> = {
  canary,
  key,
  folder,
  settingsFile,
  developmentDataKey,
  developmentSessionKey,
  tab: '\t',
  sessionKey: strongKey(1),
  otherKey: strongKey(8),
  hexKey: Buffer.from(key, 'base64').toString('hex'),
  urlKey: Buffer.from(Array.from({ length: 32 }, (_none, at) => 255 - at * 5)).toString(
    'base64url',
  ),
  webhookSecret: `whsec_${strongKey(1)}`,
};

it.each(readRows('variables'))('a start with %s says: %s', async (change, sentence) => {
  const variables = {
    ...production,
    DATABASE_URL: `file:${join(folder, 'store.db')}`,
    FUNDING_SETTINGS: settingsFile,
    WIDGET_FOLDER: 'none',
    ...Object.fromEntries(toAssignments(change).map(([name, value]) => [name, value || undefined])),
  };
  const error: unknown = await createBff({
    variables: Object.fromEntries(Object.entries(variables).filter(([, value]) => value)),
    log: { write: () => undefined },
  }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ConfigurationError);
  expect(error).toMatchObject({ problems: [sentence] });
  for (const secret of [canary, key]) expect(String(error)).not.toContain(secret);
});

describe('the settings file', () => {
  const terms = { id: 'terms', version: '1', label: 'Terms', text: 'The terms.', required: true };
  const valid = {
    locales: ['en', 'es'],
    fundingReasons: [{ value: 'Rent', label: 'Rent' }],
    consents: [{ ...terms, links: [{ label: 'Terms of use', url: 'https://a.test' }] }],
    documents: {
      checklist: [{ id: 'tax', label: 'Tax', categories: ['business-tax-return'], count: 1 }],
    },
  };

  it.each(readRows('settings'))('with %s is refused: %s', (change, sentence) => {
    const [changed, place] = applyChange(valid, change);
    const problem = sentence.startsWith('.') ? place + sentence : `${place} ${sentence}`;
    expect(parseSettings(JSON.stringify(changed))).toEqual({ problems: [problem] });
    const isBeyondSchema = Object.values(rulesBeyondSchema).some(({ rule }) =>
      problem.endsWith(rule),
    );
    expect(validateBySchema(changed)).toBe(isBeyondSchema);
  });

  const listFor = (text: string, environment = 'production') =>
    listProblems(
      { ...production, FUNDING_ENVIRONMENT: environment },
      { '/etc/funding/settings.json': text },
    );

  it.each([
    ...readRows('json'),
    ['', 'line 1, column 1 ends without a value. Write at least {}.'],
    [JSON.stringify({ ...settings, color: 1 }), 'color is not a setting. Remove it.'],
  ])('%s is refused: %s', (text, sentence) => {
    expect(listFor(text.replaceAll(String.raw`\n`, '\n'))).toEqual([
      `FUNDING_SETTINGS names an invalid file: ${sentence}`,
    ]);
  });

  const [firstConsent] = settings.consents;
  const withConsent = (changes: object) => ({
    consents: [{ ...firstConsent, ...changes }, ...settings.consents.slice(1)],
  });
  const bilingual = { en: 'Our counsel wrote this.', es: 'Lo escribió nuestra asesoría legal.' };
  const inBoth = (changes: object = {}) => ({
    locales: ['en', 'es'],
    offers: { notQualifiedNotice: bilingual },
    consents: settings.consents.map((consent) => ({
      ...consent,
      label: bilingual,
      text: bilingual,
      ...changes,
    })),
  });
  const translate = 'Translate its label, its text, and the labels of its links, or set locales';
  const link = { label: 'Terms', url: 'http://localhost:8080/terms' };

  it.each(readRows('production'))(
    'with %s is refused in production only: %s',
    (change, sentence) => {
      const text = JSON.stringify(applyChange(settings, change)[0]);
      expect(listFor(text)).toEqual([`FUNDING_SETTINGS ${sentence}`]);
      expect(listFor(text, 'staging')).toEqual([]);
    },
  );

  it.each(['The creditor is …', { ...bilingual, es: '' }, { ...bilingual, en: '' }])(
    'with the notice %j in one of two languages is refused in production only',
    (notQualifiedNotice) => {
      const offers = { notQualifiedNotice, noticeElsewhere: true };
      const text = JSON.stringify({ ...settings, ...inBoth(), offers });
      expect(listFor(text)).toEqual([
        'FUNDING_SETTINGS lacks a translation of offers.notQualifiedNotice. Translate it, or set locales to ["en"].',
      ]);
      expect(listFor(text, 'staging')).toEqual([]);
    },
  );

  it.each([
    ['text', { text: bilingual.en }],
    ['label', { label: bilingual.en }],
    ['link', { links: [{ label: 'Terms', url: 'https://www.partner.test' }] }],
  ])('with a %s of consents in one language is refused in production', (_part, changes) => {
    const problems = listFor(JSON.stringify({ ...settings, ...inBoth(changes) }));
    expect(problems).toHaveLength(settings.consents.length);
    expect(problems[0]).toContain('lacks a translation of the consent credit-authorization');
    expect(problems[0]).toContain(translate);
    expect(listFor(JSON.stringify({ ...settings, ...inBoth() }))).toEqual([]);
  });

  it.each<[string, object]>([
    ['consents.0.links.0.url', withConsent({ links: [link] })],
    ['page.homeUrl', { page: { homeUrl: link.url } }],
    ['page.privacyUrl', { page: { privacyUrl: link.url } }],
  ])('with a link to this machine in %s is refused outside the sandbox', (place, changes) => {
    const text = JSON.stringify({ ...settings, ...changes });
    expect(listFor(text, 'staging')).toEqual([
      `FUNDING_SETTINGS links to this machine in ${place}. Use a public URL.`,
    ]);
    expect(listProblems({ ...sandbox, FUNDING_SETTINGS: 'a' }, { a: text })).toEqual([]);
  });

  it('needs the name of an aggregator for a bank connection', () => {
    const connected = { ...settings, bankConnection: 'host' };
    expect(listFor(JSON.stringify(connected))).toEqual([
      'FUNDING_SETTINGS connects banks, but aggregatorName is not set. Set it to the name that the funding service uses, or set bankConnection to off.',
    ]);
    expect(listFor(JSON.stringify({ ...connected, aggregatorName: 'FinLink' }))).toEqual([]);
  });
});

const sandbox = { FUNDING_ENVIRONMENT: 'sandbox' };

it.each([
  [
    '--inspect',
    'staging',
    'The node command line contains an option that opens a debugger. Remove the option.',
  ],
  ['--require=./.pnp.cjs', 'sandbox', expect.stringMatching(/^Yarn replaces Node's file system/)],
])('the option %s of node is refused in %s', (option, environment, problem) => {
  const variables = { FUNDING_ENVIRONMENT: environment };
  const result = readConfig({ variables, nodeOptions: [option], readFile: () => '' });
  expect(result).toMatchObject({ problems: expect.arrayContaining([problem]) });
});

describe('the file of a secret', () => {
  const { FUNDING_PASSWORD: _left, ...others } = production;
  const variables = { ...others, FUNDING_PASSWORD_FILE: '/run/secrets/edited' };

  it.each([
    ['\r\n', 'names an empty file. Write the value into it.'],
    [
      Buffer.from(`\uFEFF${canary}`, 'utf16le').toString(),
      'names a file that is not text in UTF-8. Save it as UTF-8.',
    ],
  ])('is refused with the content %j', (text, sentence) => {
    expect(listProblems(variables, { '/run/secrets/edited': text })).toEqual([
      `FUNDING_PASSWORD_FILE ${sentence}`,
    ]);
  });
});

describe('all problems', () => {
  it('are reported at once, without the values', () => {
    const wrong = Object.fromEntries(Object.keys(production).map((name) => [name, 'canary-value']));
    const problems = listProblems({ ...wrong, FUNDING_ENVIRONMENT: 'production' });
    expect(problems.length).toBeGreaterThan(6);
    expect(problems.join('\n')).not.toContain('canary');
  });

  it('are reported although the environment is invalid', () => {
    const variables = { FUNDING_ENVIRONMENT: 'prod', BFF_PORT: 'http', CLAMD_URL: 'nowhere' };
    const names = listProblems(variables).map((problem) => problem.split(' ')[0]);
    expect(names).toEqual(['FUNDING_ENVIRONMENT', 'BFF_PORT', 'CLAMD_URL']);
  });

  it('of the settings file are reported with their paths', () => {
    const label = { en: '', es: 'canary', xx: 'canary' };
    const fundingReasons = [{ value: 'Rent', label }];
    expect(parseSettings(JSON.stringify({ fundingReasons }))).toEqual({
      problems: [
        'fundingReasons.0.label.en must not be empty',
        'fundingReasons.0.label.xx is not a setting. Remove it',
      ],
    });
  });
});

/** A change without a value unsets its variable. One line can change several variables or settings. */
function readRows(table: 'variables' | 'settings' | 'production' | 'json'): [string, string][] {
  return readGroupedRows(`wrong-configuration/${table}.txt`, fill);
}

/** The value of a placeholder: a name, or `base64:<text>`. */
function fill(name: string): string | undefined {
  const [, text] = /^base64:(.*)$/.exec(name) ?? [];
  return text === undefined ? values[name] : Buffer.from(text).toString('base64');
}
