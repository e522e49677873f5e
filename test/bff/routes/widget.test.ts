// `/widget/…`: the built files for every page, and nothing else of the disk.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRig, isProblem, type Browser, type Rig } from '../bff-rig.ts';

describe('GET /widget', () => {
  let folder: string;
  let rig: Rig;
  let browser: Browser;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'widget-'));
    const directory = join(folder, 'widget');
    mkdirSync(join(directory, 'chunks'), { recursive: true });
    writeFileSync(join(folder, 'secret.js'), 'secret');
    writeFileSync(join(directory, 'funding-application.js'), 'entry');
    writeFileSync(join(directory, 'notes.md'), 'notes');
    writeFileSync(join(directory, 'third-party-notices.txt'), 'licences');
    writeFileSync(join(directory, 'funding-application.d.ts'), 'types');
    writeFileSync(join(directory, 'chunks', 'offers-Ab_1.js'), 'chunk');
    mkdirSync(join(directory, '1.2.2-1f38', 'chunks'), { recursive: true });
    writeFileSync(join(directory, '1.2.2-1f38', 'funding-application.js'), 'kept entry');
    writeFileSync(join(directory, '1.2.2-1f38', 'chunks', 'offers-Cd_2.js'), 'kept chunk');
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
    const answer = await load('/widget/funding-application.js', { 'if-none-match': etag });
    expect([answer.status, answer.text]).toEqual([304, '']);
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
    mkdirSync(join(folder, 'widget', '1.2.4'));
    writeFileSync(join(folder, 'widget', '1.2.4', 'funding-application.js'), 'next');
    expect((await load(path)).text).toBe('next');
  });

  it.each([300, 10_000])('has nothing at a name of %i letters', async (length) => {
    const answer = await load(`/widget/${'a'.repeat(length)}.js`);
    expect(isProblem(answer, 'not-found')).toBe(true);
  });

  function load(path: string, headers: Record<string, string> = {}) {
    return browser.send('GET', path, undefined, { 'x-funding-request': undefined, ...headers });
  }
});
