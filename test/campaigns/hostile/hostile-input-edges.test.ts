// Sends bodies at the limits of JSON, numbers, and text, and checks whether the BFF accepts them as an application.

import { beforeAll, describe, expect, it } from 'vitest';
import { apiHeaders, apiPaths } from '../../../shared/api/paths.ts';
import type { Browser } from '../../support/applicant.ts';
import { createApplication } from '../../support/applications.ts';
import { startBff, type TestBff } from '../../support/bff.ts';
import { describePrototypes, findFault } from './input-rules.ts';
import type { Body } from './generated-bodies.ts';

interface EdgeCase {
  readonly name: string;
  readonly body: Body;
  /** Default: false. */
  readonly isAccepted?: boolean;
}

const applicationJson = JSON.stringify(createApplication());

const edgeCases: readonly EdgeCase[] = [
  ...listNumbers(),
  ...listStrings(),
  ...listDepths(),
  ...listNames(),
  ...listBytes(),
];

const jsonPaths = [apiPaths.contact, apiPaths.assetReport, apiPaths.session] as const;

describe('a body at the limits of JSON, numbers, or text', () => {
  let bff: TestBff;
  let browser: Browser;
  const prototypes = describePrototypes();

  beforeAll(async () => {
    bff = await startBff();
    return () => bff.close();
  });

  async function submit(body: Body) {
    browser = bff.openBrowser();
    await browser.send('POST', apiPaths.session);
    return browser.send('POST', apiPaths.application, body, {
      [apiHeaders.idempotencyKey]: crypto.randomUUID(),
      'content-type': 'application/json',
    });
  }

  it.each(edgeCases.filter(({ isAccepted }) => !isAccepted))(
    'is refused as an application: $name',
    async ({ body }) => {
      const { status, json } = await submit(body);
      expect([status, findFault(status, json)]).toEqual([400, undefined]);
    },
  );

  it.each(edgeCases.filter(({ isAccepted }) => isAccepted))(
    'is accepted as an application: $name',
    async ({ body }) => {
      expect((await submit(body)).status).toBe(201);
    },
  );

  it('is refused as too large above 64 KB', async () => {
    const { status, json } = await submit('['.repeat(64 * 1024 + 1));
    expect([status, json.code]).toEqual([413, 'too-large']);
  });

  it.each(jsonPaths)('causes no server error or echo at %s', async (path) => {
    const refusals = new Set<string | undefined>();
    for (const { body } of edgeCases) {
      const { status, json } = await browser.send('POST', path, body, {
        'content-type': 'application/json',
      });
      refusals.add(findFault(status, json));
    }
    expect([...refusals]).toEqual([undefined]);
  });

  it('causes no prototype pollution or internal error', () => {
    expect(describePrototypes()).toBe(prototypes);
    expect(bff.logLines.filter((line) => line.includes('request-failed'))).toEqual([]);
  });
});

/** The amount is an integer from 1 to 999,999,999, in any JSON notation. */
function listNumbers(): EdgeCase[] {
  const refused = [
    '1e309 -1e309 1e999999999 -0 0 -1 1.5 1e-7 1e-400 9007199254740992 9007199254740993 1e21',
    '1000000000 0x10 010 1_000 +1 .5 1. NaN Infinity -Infinity 1n "75000" true null [75000] {}',
    '1e --1',
    '1'.repeat(10_000),
    `0.${'0'.repeat(10_000)}1`,
  ].flatMap((line) => line.split(' '));
  const accepted = ['7.5e4', '75000.0', '75000000e-3', '999999999', '1', '1E0'];
  return [
    ...refused.map((number) => toAmount(number)),
    ...accepted.map((number) => ({ ...toAmount(number), isAccepted: true })),
  ];
}

function toAmount(number: string): EdgeCase {
  return {
    name: `the amount ${number.slice(0, 30)}`,
    body: applicationJson.replace('75000', number),
  };
}

function listStrings(): EdgeCase[] {
  const company = '"Harbor Bakery LLC"';
  const refused = {
    'a string of 60 KB': `"${'a'.repeat(60_000)}"`,
    'a string of 60 KB of spaces': `"${' '.repeat(60_000)}"`,
    'a lone high surrogate': '"\\ud800"',
    'a lone low surrogate': '"a\\udc00b"',
    'a surrogate pair in reverse order': '"\\udc00\\ud800"',
    'an escaped null character': '"a\\u0000b"',
    'an escaped line feed': '"a\\nb"',
    'an invalid escape': '"a\\x41"',
    'an unescaped line feed': '"a\nb"',
    'single quotes': "'a'",
    'an array instead of a string': '["a"]',
    'an unterminated string': '"a',
  };
  const accepted = {
    'an escaped surrogate pair': '"\\ud83d\\ude00 Bakery"',
    'a string of 255 characters': `"${'ä'.repeat(255)}"`,
    'a string of 255 characters outside the BMP': `"${'😀'.repeat(255)}"`,
    'white space around a string': '" \\t Bakery \\n "',
  };
  const toCases = (strings: Readonly<Record<string, string>>, isAccepted: boolean) =>
    Object.entries(strings).map(([name, string]) => ({
      name,
      body: applicationJson.replace(company, string),
      isAccepted,
    }));
  return [...toCases(refused, false), ...toCases(accepted, true)];
}

function listDepths(): EdgeCase[] {
  const depths = [33, 1_000, 30_000];
  return depths.flatMap((depth) => [
    { name: `${depth} arrays`, body: '['.repeat(depth) + ']'.repeat(depth) },
    { name: `${depth} unterminated arrays`, body: '['.repeat(depth) },
    { name: `${depth} arrays in an application`, body: withFirst(`"x":${nest(depth)}`) },
    { name: `${depth} objects`, body: '{"a":'.repeat(depth / 3) + '1' + '}'.repeat(depth / 3) },
    {
      name: `${depth} empty consents`,
      body: applicationJson.replace(/"consents":\[/, `$&${'{},'.repeat(depth / 3)}`),
    },
  ]);
}

function nest(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth);
}

function listNames(): EdgeCase[] {
  const names = ['__proto__', 'constructor', 'prototype', '\\u005f_proto__', 'toString', '', 'a b'];
  return [
    ...names.map((name) => ({
      name: `the name ${name}`,
      body: withFirst(`"${name}":{"isAdmin":true}`),
    })),
    ...names.map((name) => ({
      name: `the name ${name} in a nested object`,
      body: applicationJson.replace('"owner":{', `$&"${name}":{"isAdmin":true},`),
    })),
    { name: 'a duplicate name', body: withFirst('"signature":{"name":"Dana Osei"}') },
    {
      name: 'a duplicate name, once escaped',
      body: withFirst('"signatur\\u0065":{"name":"Dana Osei"}'),
    },
    { name: 'an unquoted name', body: withFirst('x:1') },
    {
      name: '6,000 names',
      body: withFirst(Array.from({ length: 6_000 }, (_none, index) => `"k${index}":1`).join(',')),
    },
  ];
}

function listBytes(): EdgeCase[] {
  const encode = (text: string) => Uint8Array.from(Buffer.from(text));
  const withCompany = (...bytes: number[]) => {
    const [before = '', rest = ''] = applicationJson.split('Harbor Bakery LLC');
    return Uint8Array.from([...encode(before), ...bytes, ...encode(rest)]);
  };
  return [
    { name: 'an empty body', body: '' },
    { name: 'white space', body: ' \n\t ' },
    { name: 'null', body: 'null' },
    { name: 'a string', body: '"application"' },
    { name: 'an array of one application', body: `[${applicationJson}]` },
    { name: 'two applications', body: applicationJson + applicationJson },
    { name: 'text after the application', body: `${applicationJson} x` },
    { name: 'a comment', body: `/* */${applicationJson}` },
    { name: 'a trailing comma', body: `${applicationJson.slice(0, -1)},}` },
    { name: 'an application without its last character', body: applicationJson.slice(0, -1) },
    { name: 'a null byte after the application', body: `${applicationJson}\0` },
    {
      name: 'white space around the application',
      body: `\n ${applicationJson} \r\n`,
      isAccepted: true,
    },
    { name: 'a byte order mark', body: encode(`\uFEFF${applicationJson}`) },
    { name: 'UTF-16', body: Uint8Array.from(Buffer.from(applicationJson, 'utf16le')) },
    { name: 'an overlong slash', body: withCompany(0xc0, 0xaf) },
    { name: 'an overlong null character', body: withCompany(0xc0, 0x80) },
    { name: 'an overlong null character of three bytes', body: withCompany(0xe0, 0x80, 0x80) },
    { name: 'an encoded surrogate (CESU-8)', body: withCompany(0xed, 0xa0, 0x80) },
    { name: 'a code point above U+10FFFF', body: withCompany(0xf4, 0x90, 0x80, 0x80) },
    { name: 'a truncated character', body: withCompany(0xe2, 0x82) },
    { name: 'Latin-1', body: withCompany(0xe4) },
    { name: 'a null byte in a string', body: withCompany(0x61, 0x00, 0x62) },
    {
      name: 'U+10FFFF',
      body: withCompany(0xf4, 0x8f, 0xbf, 0xbf),
      isAccepted: true,
    },
    { name: 'null bytes', body: new Uint8Array(60_000) },
  ];
}

/** Returns the application with an additional first member. */
function withFirst(member: string): string {
  return `{${member},${applicationJson.slice(1)}`;
}
