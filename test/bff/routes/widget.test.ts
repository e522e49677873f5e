// `/widget/…`: the built files for every page, and nothing else of the disk.

import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRig, isProblem, type Browser, type Rig } from '../bff-rig.ts';

describe('GET /widget', () => {
  let folder: string;
  let rig: Rig;
  let browser: Browser;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'widget-'));
    const directory = join(folder, 'widget');
    putVersion('.', '1.2.3', {
      'funding-application.js': 'entry',
      'third-party-notices.txt': 'licences',
      'funding-application.d.ts': 'types',
      'chunks/offers-Ab_1.js': 'chunk',
    });
    writeFileSync(join(folder, 'secret.js'), 'secret');
    writeFileSync(join(directory, 'notes.md'), 'notes');
    putVersion('1.2.2-1f38', '1.2.2-1f38', {
      'funding-application.js': 'kept entry',
      'chunks/offers-Cd_2.js': 'kept chunk',
    });
    rig = await createRig({ widget: { directory, version: '1.2.3' } });
    browser = rig.openBrowser('https://any.example');
  });

  afterEach(async () => {
    await rig.close();
    rmSync(folder, { recursive: true });
  });

  it.each([
    ['/widget/funding-application.js', 'entry', 'no-cache'],
    ['/widget/1.2.3/funding-application.js', 'entry', 'public, max-age=31536000, immutable'],
    ['/widget/chunks/offers-Ab_1.js', 'chunk', 'public, max-age=31536000, immutable'],
    ['/widget/1.2.3/chunks/offers-Ab_1.js', 'chunk', 'public, max-age=31536000, immutable'],
    [
      '/widget/1.2.2-1f38/funding-application.js',
      'kept entry',
      'public, max-age=31536000, immutable',
    ],
    [
      '/widget/1.2.2-1f38/chunks/offers-Cd_2.js',
      'kept chunk',
      'public, max-age=31536000, immutable',
    ],
    ['/widget/chunks/offers-Cd_2.js', 'kept chunk', 'public, max-age=31536000, immutable'],
  ])('serves %s to a page of any origin', async (path, text, cacheControl) => {
    const answer = await load(path);
    expect([answer.status, answer.text]).toEqual([200, text]);
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe(cacheControl);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it.each([
    ['third-party-notices.txt', 'licences'],
    ['funding-application.d.ts', 'types'],
  ])('serves %s as a text', async (file, text) => {
    const answer = await load(`/widget/${file}`);
    expect([answer.status, answer.text]).toEqual([200, text]);
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  });

  it('sends nothing again that the page has', async () => {
    const etag = (await load('/widget/funding-application.js')).headers.get('etag') ?? '';
    // As it was, made weak by a proxy that compresses, in a list.
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const answer = await load('/widget/funding-application.js', { 'if-none-match': known });
      expect([answer.status, answer.text]).toEqual([304, '']);
    }
    const answer = await load('/widget/funding-application.js', { 'if-none-match': '"other"' });
    expect(answer.status).toBe(200);
  });

  it.each([
    '/widget/',
    '/widget/nothing.js',
    '/widget/notes.md',
    '/widget/chunks',
    '/widget/9.9.9/funding-application.js',
    '/widget/9.9.9/chunks/offers-Ab_1.js',
    '/widget/1.2.2-1f38/chunks/offers-Ab_1.js',
    '/widget/chunks/nothing-Ef_3.js',
    '/widget/1.2.2-1f38/..%2f..%2fsecret.js',
    '/widget/1.2.2-1f38/chunks/more/offers-Cd_2.js',
    '/widget/../secret.js',
    '/widget/..%2fsecret.js',
    '/widget/%2e%2e/secret.js',
    '/widget/chunks/../../secret.js',
    '/widget/chunks/..%2f..%2fsecret.js',
    String.raw`/widget/..\secret.js`,
    '/widget/..%5csecret.js',
    '/widget//etc/passwd',
    '/widget/.hidden.js',
    '/widget/funding-application.js%00.js',
    '/widget/funding-application.js/more.js',
  ])('has nothing at %s', async (path) => {
    expect(isProblem(await load(path), 'not-found')).toBe(true);
  });

  it('finds a version that is put there while it runs', async () => {
    const path = '/widget/1.2.4/funding-application.js';
    expect((await load(path)).status).toBe(404);
    putVersion('1.2.4', '1.2.4', { 'funding-application.js': 'next' });
    expect((await load(path)).text).toBe('next');
  });

  it.each(['/widget/1.2.4/funding-application.js', '/widget/chunks/offers-Ef_3.js'])(
    'has nothing at %s before the whole file is there',
    async (path) => {
      const files = { 'funding-application.js': 'next', 'chunks/offers-Ef_3.js': 'next chunk' };
      putVersion('1.2.4', '1.2.4', files);
      for (const file of Object.keys(files)) put(`1.2.4/${file}`, 'ne');
      expect(isProblem(await load(path), 'not-found')).toBe(true);
    },
  );

  it('lets nobody keep what no manifest lists', async () => {
    put('1.2.4/funding-application.js', 'next');
    put('chunks/offers-Ef_3.js', 'next chunk');
    for (const path of ['1.2.4/funding-application.js', 'chunks/offers-Ef_3.js']) {
      const answer = await load(`/widget/${path}`);
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-cache']);
    }
  });

  it('has another release, put in its place, only at the address of that one', async () => {
    putVersion('.', '1.2.4', { 'funding-application.js': 'next' });
    const next = await load('/widget/1.2.4/funding-application.js');
    expect([next.text, next.headers.get('cache-control')]).toEqual([
      'next',
      'public, max-age=31536000, immutable',
    ]);
    expect((await load('/widget/1.2.3/funding-application.js')).status).toBe(404);
  });

  it('finds a kept chunk behind a folder that cannot be read', async () => {
    symlinkSync('loop', join(folder, 'widget', '0-loop'));
    symlinkSync('0-loop', join(folder, 'widget', 'loop'));
    expect((await load('/widget/chunks/offers-Cd_2.js')).text).toBe('kept chunk');
    expect((await load('/widget/chunks/nothing-Ef_3.js')).status).toBe(500);
  });

  it.each([300, 10_000])('has nothing at a name of %i letters', async (length) => {
    const answer = await load(`/widget/${'a'.repeat(length)}.js`);
    expect(isProblem(answer, 'not-found')).toBe(true);
  });

  /** As the build writes it. */
  function putVersion(place: string, version: string, files: Readonly<Record<string, string>>) {
    const listed = Object.entries(files).map(([file, content]) => {
      put(join(place, file), content);
      return { file, integrity: `sha384-${createHash('sha384').update(content).digest('base64')}` };
    });
    const manifest = { version, entry: 'funding-application.js', files: listed };
    put(join(place, 'manifest.json'), JSON.stringify(manifest));
  }

  function put(place: string, content: string): void {
    const path = join(folder, 'widget', place);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }

  function load(path: string, headers: Record<string, string> = {}) {
    return browser.send('GET', path, undefined, { 'x-funding-request': undefined, ...headers });
  }
});
