// `GET /widget/…`: the built files, with compression and caching.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { archiveVersion } from '../../../bff/config/widget-archive.ts';
import { indexWidget } from '../../../bff/config/widget-folder.ts';
import {
  createWidgetFolder,
  toIntegrity,
  type TestWidgetFolder,
} from '../../support/widget-folder.ts';
import { startBff, type TestBff } from '../../support/bff.ts';
import { until } from '../../support/manual-time.ts';

const immutable = 'public, max-age=31536000, immutable';
const entry = 'export const entry = 1;'.repeat(20);

let folder: TestWidgetFolder;
let bff: TestBff;

beforeEach(async () => {
  folder = createWidgetFolder('1.2.2-1f38', {
    'funding-application.js': 'kept entry',
    'chunks/offers-Cd_2.js': 'kept chunk',
    'chunks/form-Ef_3.js': 'kept form',
  });
  folder.addVersion('1.2.3-9c40', {
    'funding-application.js': entry,
    'third-party-notices.txt': 'licenses',
    'funding-application.d.ts': 'types',
    'chunks/offers-Ab_1.js': 'chunk',
    'chunks/form-Ef_3.js': 'form',
  });
  folder.write('../secret.js', 'secret');
  folder.write('notes.md', 'notes');
  bff = await startBff({ widget: indexWidget(folder.directory, '1.2.3-9c40') });
});

afterEach(async () => {
  await bff.close();
  folder.remove();
});

describe('GET /widget', () => {
  it.each([
    ['/widget/funding-application.js', entry, 'no-cache'],
    ['/widget/1.2.3-9c40/funding-application.js', entry, immutable],
    ['/widget/chunks/offers-Ab_1.js', 'chunk', immutable],
    ['/widget/1.2.3-9c40/chunks/offers-Ab_1.js', 'chunk', immutable],
    ['/widget/1.2.2-1f38/funding-application.js', 'kept entry', immutable],
    ['/widget/1.2.2-1f38/chunks/offers-Cd_2.js', 'kept chunk', immutable],
    ['/widget/chunks/offers-Cd_2.js', 'kept chunk', immutable],
    ['/widget/chunks/form-Ef_3.js', 'form', immutable],
    ['/widget/1.2.2-1f38/chunks/form-Ef_3.js', 'kept form', immutable],
  ])('serves %s to pages of any origin', async (path, text, cacheControl) => {
    const answer = await load(path);
    expect([answer.status, await answer.text()]).toEqual([200, text]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': cacheControl,
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
    expect(answer.headers.get('last-modified')).toBeNull();
  });

  it.each([
    ['third-party-notices.txt', /^licenses$/, 'text/plain; charset=utf-8'],
    ['funding-application.d.ts', /^types$/, 'text/plain; charset=utf-8'],
    ['manifest.json', /"version":\s*"1\.2\.3"/, 'application/json; charset=utf-8'],
    ['1.2.3-9c40/manifest.json', /"version":\s*"1\.2\.3"/, 'application/json; charset=utf-8'],
  ])('serves %s with its type', async (file, text, type) => {
    const answer = await load(`/widget/${file}`);
    expect(await answer.text()).toMatch(text);
    expect(answer.headers.get('content-type')).toBe(type);
    expect(answer.headers.get('cache-control')).toBe('no-cache');
  });

  it.each([
    '/widget',
    '/widget/',
    '/widget/notes.md',
    '/widget/chunks',
    '/widget/1.2.3-9c40',
    '/widget/funding-application.js.br',
    '/widget/9.9.9/funding-application.js',
    '/widget/1.2.2-1f38/chunks/offers-Ab_1.js',
    '/widget/1.2.2-1f38/..%2f..%2fsecret.js',
    '/widget/../secret.js',
    '/widget/%2e%2e/secret.js',
    '/widget/..%5csecret.js',
    '/widget//etc/passwd',
    '/widget/__proto__',
    '/widget/funding-application.js%00.js',
    `/widget/${'a'.repeat(10_000)}.js`,
  ])('returns 404 for %s', async (path) => {
    const answer = await load(path);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([404, 'no-store']);
    expect((await answer.json()).code).toBe('not-found');
  });

  it('ignores a version that was added after the start', async () => {
    folder.addVersion('1.2.4-9c41', { 'funding-application.js': 'next' });
    expect((await load('/widget/1.2.4-9c41/funding-application.js')).status).toBe(404);
    expect(await (await load('/widget/funding-application.js')).text()).toBe(entry);
  });

  it('returns 404 for a file that was removed after the start', async () => {
    rmSync(join(folder.directory, '1.2.3-9c40', 'chunks'), { recursive: true });
    const answer = await load('/widget/chunks/offers-Ab_1.js');
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([404, 'no-store']);
  });

  it('rejects other methods', async () => {
    expect((await load('/widget/funding-application.js', {}, 'POST')).status).toBe(405);
  });

  it('returns only headers for HEAD', async () => {
    const answer = await load('/widget/funding-application.js', {}, 'HEAD');
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    expect(answer.headers.get('content-length')).toBe(String(entry.length));
  });

  it('serves a range', async () => {
    const answer = await load('/widget/funding-application.js', { range: 'bytes=7-11' });
    expect([answer.status, await answer.text()]).toEqual([206, 'const']);
  });
});

describe('a compressed widget file', () => {
  it.each<[string | undefined, string | null]>([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', null],
    ['br;q=0', null],
    [undefined, null],
  ])('is served for "%s" as %s', async (accepted, encoding) => {
    const answer = await load('/widget/1.2.3-9c40/funding-application.js', {
      ...(accepted !== undefined && { 'accept-encoding': accepted }),
    });
    expect(answer.headers.get('content-encoding')).toBe(encoding);
    expect(answer.headers.get('vary')).toBe('Accept-Encoding');
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(answer.headers.get('content-length')).toBe(String(bytes.length));
    expect(decode(bytes, encoding)).toBe(entry);
    const { files } = JSON.parse(await (await load('/widget/manifest.json')).text());
    expect(toIntegrity(decode(bytes, encoding))).toBe(files[0].integrity);
  });

  it('is not served if the version has none', async () => {
    rmSync(join(folder.directory, '1.2.2-1f38', 'chunks/offers-Cd_2.js.br'));
    const answer = await load('/widget/chunks/offers-Cd_2.js', { 'accept-encoding': 'br' });
    expect([answer.headers.get('content-encoding'), await answer.text()]).toEqual([
      null,
      'kept chunk',
    ]);
  });
});

describe('a cached widget file', () => {
  it.each([
    ['as it was sent', (etag: string) => etag],
    ['as a strong ETag', (etag: string) => etag.slice(2)],
    ['in a list', (etag: string) => `"other", ${etag}`],
  ])('is not sent again if If-None-Match has the ETag %s', async (_name, toKnown) => {
    const etag = (await load('/widget/funding-application.js')).headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"sha384-/);
    const answer = await load('/widget/funding-application.js', { 'if-none-match': toKnown(etag) });
    expect([answer.status, await answer.text()]).toEqual([304, '']);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      etag,
      'cache-control': 'no-cache',
      vary: 'Accept-Encoding',
      'access-control-allow-origin': '*',
    });
    expect(answer.headers.get('content-type')).toBeNull();
  });

  it('is sent if If-None-Match has another ETag', async () => {
    const answer = await load('/widget/funding-application.js', { 'if-none-match': '"other"' });
    expect(answer.status).toBe(200);
  });
});

describe('a version in the archive', () => {
  const archived = '/widget/1.2.4-9c41/funding-application.js';
  let newer: TestWidgetFolder;
  let archive: string;
  let searches: number;

  beforeEach(async () => {
    await bff.close();
    newer = createWidgetFolder('1.2.4-9c41', {
      'funding-application.js': 'newer entry',
      'chunks/offers-Gh_4.js': 'newer chunk',
    });
    onTestFinished(() => newer.remove());
    archive = join(newer.directory, '../archive');
    archiveVersion(folder.directory, '1.2.3-9c40', archive);
    const widget = indexWidget(folder.directory, '1.2.3-9c40', archive);
    const findNewVersions = async () => {
      searches += 1;
      await widget.archive?.findNewVersions();
    };
    searches = 0;
    bff = await startBff({
      widget: { ...widget, archive: { directory: archive, findNewVersions } },
    });
  });

  it.each([
    [archived, 'newer entry'],
    ['/widget/chunks/offers-Gh_4.js', 'newer chunk'],
  ])('is served as %s after the start', async (path, text) => {
    archiveVersion(newer.directory, '1.2.4-9c41', archive);
    const answer = await load(path, { 'accept-encoding': 'br' });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, immutable]);
    expect(decode(Buffer.from(await answer.arrayBuffer()), 'br')).toBe(text);
    // The path without a version is still that of this process.
    expect(await (await load('/widget/funding-application.js')).text()).toBe(entry);
  });

  it('is searched once a second for any number of unknown names', async () => {
    expect((await load('/widget/9.9.9/first.js')).status).toBe(404);
    const answers = Array.from({ length: 20 }, (_none, index) => load(`/widget/9.9.9/${index}.js`));
    await until(() => bff.time.listTimers().length > 0);
    expect(searches).toBe(1);
    // Arrives between two searches.
    archiveVersion(newer.directory, '1.2.4-9c41', archive);
    const found = load(archived);
    bff.time.advance(1_000);
    expect(await (await found).text()).toBe('newer entry');
    for (const { status } of await Promise.all(answers)) expect(status).toBe(404);
    expect(searches).toBe(2);
  });

  it.each(['/widget/nothing.js', '/widget/notes.md', '/widget/1.2.3-9c40', '/widget/etc/passwd'])(
    'is not searched for %s',
    async (path) => {
      expect((await load(path)).status).toBe(404);
      expect(searches).toBe(0);
    },
  );

  it('is not found while the archive cannot be read', async () => {
    rmSync(archive, { recursive: true });
    expect((await load(archived)).status).toBe(404);
  });
});

function decode(bytes: Buffer, encoding: string | null): string {
  if (encoding === 'br') return brotliDecompressSync(bytes).toString();
  return (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString();
}

async function load(
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<Response> {
  return bff.app.request(path, { method, headers: { origin: 'https://any.example', ...headers } });
}
