// The inspection pool with failures that no document causes: of its children, of the store, and of the parent process.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { listChildren } from '../../../bench/memory.ts';
import { AppError } from '../../../bff/runtime/app-error.ts';
import type { InspectionFailure } from '../../../bff/documents/inspection-pool.ts';
import {
  accepted,
  createContentFolder,
  createInspectionRig,
  maxWaitMs,
  toDocument,
  unresponsiveMs,
} from './inspection-rig.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('the inspection pool when the inspection is unavailable', () => {
  it.each(['throw', 'throw later'])(
    'reports the class and position of an error (%s)',
    async (text) => {
      const rig = createInspectionRig();
      const fault = await rig.inspect(text).catch((error: unknown) => error);
      expect(fault).toMatchObject({ reason: 'threw', cause: { name: 'TypeError' } });
      const { stack, message } = (fault as Error).cause as Error;
      expect(stack).toMatch(/ at scripted-child\.ts:\d+:\d+/);
      expect(`${stack}${message}`).not.toContain('Quillmark');
      expect(await rig.inspect('good')).toEqual(accepted);
    },
  );

  it('reports an error with a long name without the name', async () => {
    const rig = createInspectionRig();
    const fault = await rig.inspect('throw at length').catch((error: unknown) => error);
    expect(fault).toMatchObject({ reason: 'threw', cause: { name: 'Error' } });
  });

  it('reports a child that fails to start', async () => {
    const rig = createInspectionRig({}, 'stillborn');
    await expect(rig.inspect('good')).rejects.toMatchObject({ reason: 'not-started' });
    await expect(rig.inspect('good')).rejects.toMatchObject({ reason: 'not-started' });
  });

  it('reports a child that never becomes ready', async () => {
    const rig = createInspectionRig({}, 'silent');
    const waiting = rig.inspect('good').catch((error: unknown) => error);
    await rig.untilTimers([unresponsiveMs]);
    rig.time.advance(unresponsiveMs);
    expect(await waiting).toMatchObject({ reason: 'not-started' });
  });

  it('reports a child that does not read', async () => {
    const rig = createInspectionRig({}, 'deaf');
    let reads = 0;
    const document = toDocument(5_000_000, () => {
      reads += 1;
      return [Buffer.alloc(5_000_000)];
    });
    const failures: InspectionFailure[] = [];
    const waiting = rig.pool
      .inspect(document, (failure) => failures.push(failure))
      .catch((error: unknown) => error);
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      // The child is ready, and its pipe is full.
      await waitUntil(() => reads === attempt);
      await rig.untilTimers([unresponsiveMs]);
      rig.time.advance(unresponsiveMs);
    }
    expect(await waiting).toMatchObject({ reason: 'interrupted' });
    expect(failures).toEqual([{ reason: 'interrupted' }, { reason: 'interrupted' }]);
  });

  it('reports a child that ends before it has the document', async () => {
    const rig = createInspectionRig({}, 'mortal');
    await expect(rig.inspect('good')).rejects.toMatchObject({ reason: 'interrupted' });
  });

  it('reports an error of the store as the cause', async () => {
    const rig = createInspectionRig();
    const cause = new Error('The store is away');
    const document = toDocument(4, () => [cause]);
    await expect(rig.pool.inspect(document)).rejects.toMatchObject({
      reason: 'content-unreadable',
      cause,
    });
    expect(await rig.inspect('good')).toEqual(accepted);
  });

  it('throws the AppError of the content', async () => {
    const rig = createInspectionRig({ contentFolder: '/nowhere' });
    const gone = new AppError('application-missing');
    await expect(rig.pool.inspect(toDocument(4, () => ['go', gone]))).rejects.toBe(gone);
    const document = { ...toDocument(4, () => []), findFile: () => Promise.reject(gone) };
    await expect(rig.pool.inspect(document)).rejects.toBe(gone);
  });

  it.each([
    ['is missing', 'ENOENT', (path: string) => rmSync(path)],
    ['was changed', 'Error', (path: string) => writeFileSync(path, Buffer.alloc(20))],
    ['is incomplete', 'RangeError', (path: string) => truncateSync(path, 19)],
  ])('reports a file that %s', async (_what, name, damage) => {
    const { contentFolder, add } = createContentFolder();
    const rig = createInspectionRig({ contentFolder });
    const findFile = add('good');
    damage((await findFile()).path);
    const document = { ...toDocument(4, () => []), findFile };
    await expect(rig.pool.inspect(document)).rejects.toMatchObject({
      reason: 'content-unreadable',
      cause: { name },
    });
    expect(await rig.inspect('good')).toEqual(accepted);
  });

  it.each([
    ['shorter', 'goo'],
    ['longer', 'good!'],
  ])('reports content that is %s than announced', async (_what, text) => {
    const rig = createInspectionRig();
    const document = toDocument(4, () => [text]);
    await expect(rig.pool.inspect(document)).rejects.toMatchObject({
      reason: 'content-unreadable',
    });
  });

  it('reports a timeout in the queue', async () => {
    const rig = createInspectionRig({ processes: 1, timeoutSeconds: 60 });
    const hanging = rig.inspect('hang').catch((error: unknown) => error);
    const waiting = rig.inspect('good').catch((error: unknown) => error);
    await rig.untilTimers([maxWaitMs, 60_000]);
    rig.time.advance(maxWaitMs);
    expect(await waiting).toMatchObject({ reason: 'overloaded' });
    await rig.pool.close();
    expect(await hanging).toMatchObject({ reason: 'closed' });
  });

  it('starts no child after it is closed', async () => {
    const rig = createInspectionRig();
    await rig.pool.close();
    rig.pool.prepare();
    await expect(rig.inspect('good')).rejects.toMatchObject({ reason: 'closed' });
  });
});

describe.runIf(process.platform === 'linux')('the inspection pool on Linux', () => {
  it('sets the kernel options of a child', async () => {
    const rig = createInspectionRig();
    await rig.inspect('good');
    const [child] = listChildren(process.pid);
    const read = (file: string) => readFileSync(`/proc/${child}/${file}`, 'utf8').trim();
    expect([read('oom_score_adj'), read('coredump_filter')]).toEqual(['1000', '00000000']);
  });

  it('leaves no child running after the parent is killed', async () => {
    const path = fileURLToPath(new URL('./children/doomed-parent.ts', import.meta.url));
    const parent = spawn(process.execPath, [path], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [output] = (await once(parent.stdout, 'data')) as [Buffer];
    const children = output.toString().trim().split(' ').map(Number);
    expect(children.map(isRunning)).toEqual([true, true]);
    parent.kill('SIGKILL');
    await waitUntil(() => !children.some(isRunning));
  });
});

/** A zombie process (`Z`) counts as ended. */
function isRunning(processId: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${processId}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
