// `retry`: makes held, waiting, and rejected rows due again.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accepted, createCliRig, first, held, second, waiting, type CliRig } from './cli-rig.ts';

describe('retry', () => {
  let rig: CliRig;

  beforeEach(async () => {
    rig = await createCliRig();
    await rig.add();
  });

  afterEach(() => rig.store.close());

  it('makes the rows of one application due', async () => {
    await rig.recordResult(accepted);
    await rig.addAttachment('d1');
    await rig.recordResult({ ...waiting, delayMs: 900_000 }, 'document');
    await rig.add(second);
    await rig.recordResult(held);
    const { code, out } = await rig.run('retry', first);
    expect(code).toBe(0);
    expect(out).toBe('1 row will be sent again. A running BFF does so within a minute.\n');
    expect((await rig.claim('document')).kind).toBe('document');
    expect((await rig.store.findApplication(second))?.state).toBe('held');
  });

  it('makes everything held due', async () => {
    await rig.recordResult(held);
    await rig.add(second);
    await rig.recordResult(held);
    const { json } = await rig.run('retry', '--held', '--json');
    expect(json).toEqual({ rows: 2 });
    expect((await rig.claim()).application.id).toBe(first);
  });

  it('reports that there is nothing to send', async () => {
    await rig.recordResult(accepted);
    const { code, out } = await rig.run('retry', first);
    expect(code).toBe(0);
    expect(out).toBe('Nothing of this application is held or waiting.\n');
    expect((await rig.run('retry', '--held')).out).toBe(
      'Nothing that is held can be sent again.\n',
    );
    expect((await rig.run('retry', '--held', '--json')).json).toEqual({ rows: 0 });
  });

  it('sends a rejected application only with --rejected', async () => {
    await rig.recordResult({ state: 'rejected' });
    expect((await rig.run('retry', first)).out).toContain('use "retry --rejected".');
    expect((await rig.run('retry', first, '--rejected', '--json')).json).toEqual({ rows: 1 });
    expect((await rig.claim()).application.id).toBe(first);
  });

  it('refers to resolve for an unconfirmed application', async () => {
    await rig.recordResult({ state: 'unconfirmed' });
    expect((await rig.run('retry', first)).out).toContain(
      ' The application is unconfirmed. Use "resolve".\n',
    );
  });
});
