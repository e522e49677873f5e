import { describe, expect, it } from 'vitest';
import { controlRoutes, magicWords } from '../../sandbox/magic-words.ts';
import { createSandboxClient } from './sandbox-client.ts';

/** Pages of the console and their files. */
const pages = new Set([
  '/',
  '/applications/:applicationId',
  '/timeline/:callId',
  '/controls',
  '/reference',
  '/console.css',
  '/console.js',
  '/chevron.svg',
]);

describe('the table of the control API', () => {
  it('names every route', async () => {
    const { app } = await createSandboxClient();
    const routes = app.routes
      .filter(({ method, path }) => method !== 'ALL' && path.startsWith('/_sandbox/'))
      .map(({ method, path }) => `${method} ${path.slice('/_sandbox'.length)}`)
      .filter((route) => !pages.has(route.replace('GET ', '')));
    const named = controlRoutes.map(({ method, path }) => `${method} ${path}`);
    expect(routes.toSorted()).toEqual(named.toSorted());
  });

  it('has examples that the sandbox accepts', async () => {
    const client = await createSandboxClient();
    for (const { path, body } of controlRoutes.filter(({ method }) => method === 'POST')) {
      const id = await client.submitApplication();
      if (path === '/faults/remove') {
        await client.postControl('/faults', { kind: 'status', operation: 'token' });
      }
      const example = body === undefined ? undefined : JSON.parse(body);
      const { status } = await client.postControl(path.replace(':applicationId', id), example);
      expect([path, status]).toEqual([path, 200]);
      await client.postControl('/faults/clear');
    }
  });
});

describe('the table of magic words', () => {
  it('is on the console', async () => {
    const client = await createSandboxClient();
    const id = await client.submitApplication();
    const reference = (await client.getControl('/reference')).text;
    const controls = (await client.getControl('/controls')).text;
    const application = (await client.getControl(`/applications/${id}`)).text;
    expect((await client.getControl('/scenarios')).body.scenarios).toEqual(magicWords.tags);
    for (const { tag, description } of magicWords.tags) {
      expect(reference).toContain(`[${tag}]`);
      expect(reference).toContain(description);
    }
    for (const outcome of magicWords.outcomes) {
      expect(reference).toContain(outcome.answer);
      expect(application).toContain(outcome.label);
    }
    for (const { id: error } of magicWords.errors) expect(reference).toContain(error);
    for (const { label, effect } of magicWords.faults) {
      expect(controls).toContain(label);
      expect(controls).toContain(effect);
    }
  });
});
