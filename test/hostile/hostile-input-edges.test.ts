import { beforeAll, describe, expect, it } from 'vitest';
import { apiHeaders, apiPaths } from '../../shared/api/paths.ts';
import { createRig, type Browser, type Rig } from '../bff/bff-rig.ts';
import { describePrototypes, findFault } from './answer-rules.ts';
import { edgeBodies } from './edge-bodies.ts';

const jsonPaths = [apiPaths.contact, apiPaths.assetReport, apiPaths.session] as const;

describe('an application at the edges', () => {
  let rig: Rig;
  let browser: Browser;
  const prototypes = describePrototypes();

  beforeAll(async () => {
    rig = await createRig();
    return () => rig.close();
  });

  async function file(body: (typeof edgeBodies)[number]['body']) {
    browser = rig.openBrowser();
    await browser.send('POST', apiPaths.session);
    return browser.send('POST', apiPaths.application, body, {
      [apiHeaders.idempotencyKey]: crypto.randomUUID(),
      'content-type': 'application/json',
    });
  }

  it.each(edgeBodies.filter(({ isTaken }) => !isTaken))('is refused: $name', async ({ body }) => {
    const { status, json } = await file(body);
    expect([status, findFault(status, json)]).toEqual([400, undefined]);
  });

  it.each(edgeBodies.filter(({ isTaken }) => isTaken))('is taken: $name', async ({ body }) => {
    expect((await file(body)).status).toBe(201);
  });

  it('is too long at 64 KB and one byte, whatever it is', async () => {
    const { status, json } = await file('['.repeat(64 * 1024 + 1));
    expect([status, json.code]).toEqual([413, 'too-large']);
  });

  it.each(jsonPaths)('is nothing that %s would take', async (path) => {
    const refusals = new Set<string | undefined>();
    for (const { body } of edgeBodies) {
      const { status, json } = await browser.send('POST', path, body, {
        'content-type': 'application/json',
      });
      refusals.add(findFault(status, json));
    }
    expect([...refusals]).toEqual([undefined]);
  });

  it('leaves no trace, and no fault of ours in the log', () => {
    expect(describePrototypes()).toBe(prototypes);
    expect(rig.logLines.filter((line) => line.includes('request-failed'))).toEqual([]);
  });
});
