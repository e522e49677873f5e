// `retry`: makes held, waiting, and rejected rows due again.

import { beforeEach, describe, expect, it } from 'vitest';
import { accepted, createCliRig, first, held, second, waiting, type CliRig } from './cli-rig.ts';

describe('retry', () => {
  let rig: CliRig;

  beforeEach(async () => {
    rig = await createCliRig();
    await rig.add();
  });

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
    expect((await rig.run('retry', '--held', '--json')).json).toEqual({ rows: 2 });
    expect((await rig.claim()).application.id).toBe(first);
  });

  it('sends a rejected application only with --rejected', async () => {
    await rig.recordResult({ state: 'rejected' });
    expect((await rig.run('retry', first)).out).toContain('use "retry --rejected".');
    expect((await rig.run('retry', first, '--rejected', '--json')).json).toEqual({ rows: 1 });
    expect((await rig.claim()).application.id).toBe(first);
  });

  it.each([
    [accepted, [first], 'Nothing of this application is held or waiting.\n'],
    [accepted, ['--held'], 'Nothing that is held can be sent again.\n'],
    [
      { state: 'unconfirmed' },
      [first],
      expect.stringContaining(' The application is unconfirmed. Use "resolve".\n'),
    ],
  ] as const)('finds nothing to send after %j with %j', async (result, argv, text) => {
    await rig.recordResult(result);
    expect(await rig.run('retry', ...argv)).toMatchObject({ code: 0, out: text });
    expect((await rig.run('retry', ...argv, '--json')).json).toEqual({ rows: 0 });
  });
});
