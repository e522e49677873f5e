// `retry`: what was given up or waits is due again.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accepted, createCliRig, first, held, second, waiting, type CliRig } from './cli-rig.ts';

describe('retry', () => {
  let rig: CliRig;

  beforeEach(async () => {
    rig = await createCliRig();
    await rig.add();
  });

  afterEach(() => rig.store.close());

  it('makes one application and its documents due', async () => {
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

  it('makes due all that is held', async () => {
    await rig.recordResult(held);
    await rig.add(second);
    await rig.recordResult(held);
    const { json } = await rig.run('retry', '--held', '--json');
    expect(json).toEqual({ rows: 2 });
    expect((await rig.claim()).application.id).toBe(first);
  });

  it('says that there was nothing to do', async () => {
    await rig.recordResult(accepted);
    const { code, out } = await rig.run('retry', first);
    expect(code).toBe(0);
    expect(out).toBe('Nothing is held or waits that could be sent again.\n');
    expect((await rig.run('retry', '--held')).out).toBe(
      'Nothing is held that could be sent again.\n',
    );
    expect((await rig.run('retry', '--held', '--json')).json).toEqual({ rows: 0 });
  });

  it('sends a rejected application again only when told so', async () => {
    await rig.recordResult({ state: 'rejected' });
    expect((await rig.run('retry', first)).out).toContain('use retry --rejected if that was');
    expect((await rig.run('retry', first, '--rejected', '--json')).json).toEqual({ rows: 1 });
    expect((await rig.claim()).application.id).toBe(first);
  });

  it('points to resolve where sending again would help nothing', async () => {
    await rig.recordResult({ state: 'unconfirmed' });
    expect((await rig.run('retry', first)).out).toContain(' It is unconfirmed: use resolve.\n');
  });
});
