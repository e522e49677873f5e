// Bodies at the edges of JSON, of numbers and of text, each with what has to become of an application that is one.

import { createApplication } from '../bff/bff-rig.ts';
import type { Body } from './generated-bodies.ts';

export interface EdgeBody {
  readonly name: string;
  readonly body: Body;
  /** Default: refused. */
  readonly isTaken?: boolean;
}

const json = JSON.stringify(createApplication());

export const edgeBodies: readonly EdgeBody[] = [
  ...listNumbers(),
  ...listTexts(),
  ...listDepths(),
  ...listNames(),
  ...listBytes(),
];

/** The amount must be a whole number from 1 to 999,999,999, however it is written. */
function listNumbers(): EdgeBody[] {
  const refused = [
    '1e309 -1e309 1e999999999 -0 0 -1 1.5 1e-7 1e-400 9007199254740992 9007199254740993 1e21',
    '1000000000 0x10 010 1_000 +1 .5 1. NaN Infinity -Infinity 1n "75000" true null [75000] {}',
    '1e --1',
    '1'.repeat(10_000),
    `0.${'0'.repeat(10_000)}1`,
  ].flatMap((line) => line.split(' '));
  const taken = ['7.5e4', '75000.0', '75000000e-3', '999999999', '1', '1E0'];
  const takenBodies = taken.map((number) => ({ ...toAmount(number), isTaken: true }));
  return refused.map((number) => toAmount(number)).concat(takenBodies);
}

function toAmount(number: string): EdgeBody {
  return { name: `the amount ${number.slice(0, 30)}`, body: json.replace('75000', number) };
}

function listTexts(): EdgeBody[] {
  const company = '"Harbor Bakery LLC"';
  const refused = {
    'a text of 60 KB': `"${'a'.repeat(60_000)}"`,
    'a text of 60 KB of blanks': `"${' '.repeat(60_000)}"`,
    'half a character': '"\\ud800"',
    'the other half': '"a\\udc00b"',
    'two halves the wrong way round': '"\\udc00\\ud800"',
    'an escaped zero': '"a\\u0000b"',
    'an escaped end of line': '"a\\nb"',
    'an unknown escape': '"a\\x41"',
    'a raw end of line': '"a\nb"',
    'single quotes': "'a'",
    'no text but a list': '["a"]',
    'text without end': '"a',
  };
  const taken = {
    'a whole character, escaped': '"\\ud83d\\ude00 Bakery"',
    'a text of 255 characters': `"${'ä'.repeat(255)}"`,
    'a text of 255 characters of two units': `"${'😀'.repeat(255)}"`,
    'blanks around a text': '" \\t Bakery \\n "',
  };
  const toBodies = (texts: Readonly<Record<string, string>>) =>
    Object.entries(texts).map(([name, text]) => ({ name, body: json.replace(company, text) }));
  const takenBodies = toBodies(taken).map((body) => ({ ...body, isTaken: true }));
  return [...toBodies(refused), ...takenBodies];
}

function listDepths(): EdgeBody[] {
  const depths = [33, 1_000, 30_000];
  return depths.flatMap((depth) => [
    { name: `${depth} lists`, body: '['.repeat(depth) + ']'.repeat(depth) },
    { name: `${depth} lists without end`, body: '['.repeat(depth) },
    { name: `${depth} lists in an application`, body: withFirst(`"x":${nest(depth)}`) },
    { name: `${depth} objects`, body: '{"a":'.repeat(depth / 3) + '1' + '}'.repeat(depth / 3) },
    {
      name: `${depth} empty consents`,
      body: json.replace(/"consents":\[/, `$&${'{},'.repeat(depth / 3)}`),
    },
  ]);
}

function nest(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth);
}

function listNames(): EdgeBody[] {
  const names = ['__proto__', 'constructor', 'prototype', '\\u005f_proto__', 'toString', '', 'a b'];
  return [
    ...names.map((name) => ({
      name: `the name ${name}`,
      body: withFirst(`"${name}":{"isAdmin":true}`),
    })),
    ...names.map((name) => ({
      name: `the name ${name} further down`,
      body: json.replace('"owner":{', `$&"${name}":{"isAdmin":true},`),
    })),
    { name: 'a name twice', body: withFirst('"signature":{"name":"Dana Osei"}') },
    {
      name: 'a name twice, once escaped',
      body: withFirst('"signatur\\u0065":{"name":"Dana Osei"}'),
    },
    { name: 'a name without quotes', body: withFirst('x:1') },
    {
      name: 'six thousand names',
      body: withFirst(Array.from({ length: 6_000 }, (_none, index) => `"k${index}":1`).join(',')),
    },
  ];
}

function listBytes(): EdgeBody[] {
  const encode = (text: string) => Uint8Array.from(Buffer.from(text));
  const withCompany = (...bytes: number[]) => {
    const [before = '', startTimer = ''] = json.split('Harbor Bakery LLC');
    return Uint8Array.from([...encode(before), ...bytes, ...encode(startTimer)]);
  };
  return [
    { name: 'nothing', body: '' },
    { name: 'blanks', body: ' \n\t ' },
    { name: 'nothing as JSON', body: 'null' },
    { name: 'a text', body: '"application"' },
    { name: 'a list of it', body: `[${json}]` },
    { name: 'it twice', body: json + json },
    { name: 'something behind it', body: `${json} x` },
    { name: 'a comment', body: `/* */${json}` },
    { name: 'a comma too many', body: `${json.slice(0, -1)},}` },
    { name: 'it without its last sign', body: json.slice(0, -1) },
    { name: 'a zero behind it', body: `${json}\0` },
    { name: 'blanks around it', body: `\n ${json} \r\n`, isTaken: true },
    { name: 'a byte order mark', body: encode(`\uFEFF${json}`) },
    { name: 'UTF-16', body: Uint8Array.from(Buffer.from(json, 'utf16le')) },
    { name: 'an overlong slash', body: withCompany(0xc0, 0xaf) },
    { name: 'an overlong zero', body: withCompany(0xc0, 0x80) },
    { name: 'an overlong zero of three bytes', body: withCompany(0xe0, 0x80, 0x80) },
    { name: 'half a character in CESU-8', body: withCompany(0xed, 0xa0, 0x80) },
    { name: 'beyond Unicode', body: withCompany(0xf4, 0x90, 0x80, 0x80) },
    { name: 'a cut character', body: withCompany(0xe2, 0x82) },
    { name: 'Latin-1', body: withCompany(0xe4) },
    { name: 'a raw zero', body: withCompany(0x61, 0x00, 0x62) },
    {
      name: 'the last character of Unicode',
      body: withCompany(0xf4, 0x8f, 0xbf, 0xbf),
      isTaken: true,
    },
    { name: 'zeros', body: new Uint8Array(60_000) },
  ];
}

/** The application with one more member, before all others. */
function withFirst(member: string): string {
  return `{${member},${json.slice(1)}`;
}
