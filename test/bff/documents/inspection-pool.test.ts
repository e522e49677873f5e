// The inspection pool with good documents, and with documents that block, crash, or fill a child process.

import { describe, expect, it } from 'vitest';
import { startUnrefTimer } from '../../../bff/runtime/timers.ts';
import type {
  InspectionFailure,
  InspectionPoolOptions,
  StoredDocument,
} from '../../../bff/documents/inspection-pool.ts';
import {
  accepted,
  createContentFolder,
  createInspectionRig,
  maxWaitMs,
  notChecked,
  timeoutMs,
  toDocument,
} from './inspection-rig.ts';

describe('the inspection pool with good documents', () => {
  it('returns the verdict of the child', async () => {
    const rig = createInspectionRig();
    expect(await rig.inspect('good')).toEqual(accepted);
    expect(await rig.inspect('refuse')).toMatchObject({
      kind: 'refused',
      detail: 'pdf-cut-off',
    });
  });

  it('sends a large document in many chunks', async () => {
    const rig = createInspectionRig();
    const chunks = Array.from({ length: 40 }, () => 'x'.repeat(262_143));
    expect(await rig.inspect(chunks)).toEqual(accepted);
  });

  it('does not change the memory of the content', async () => {
    const rig = createInspectionRig();
    const shared = Buffer.from('xxgoodxx');
    const verdict = rig.pool.inspect(toDocument(4, () => [shared.subarray(2, 6)]));
    expect([await verdict, shared.toString()]).toEqual([accepted, 'xxgoodxx']);
  });

  it('denies a child the environment, files, and programs', async () => {
    const rig = createInspectionRig();
    expect(await rig.inspect('check surroundings')).toEqual(accepted);
  });

  it('lets a child read the file of a document', async () => {
    const { contentFolder, add } = createContentFolder();
    const rig = createInspectionRig({ contentFolder, processes: 1 });
    const noContent = (): Error[] => [new Error('The child reads the file')];
    for (const text of ['good', 'x'.repeat(10_485_720)]) {
      const document = { ...toDocument(text.length, noContent), findFile: add(text) };
      expect(await rig.pool.inspect(document)).toEqual(accepted);
    }
    expect(await rig.inspect('good')).toEqual(accepted);
  });

  it('denies a child files outside of the content folder', async () => {
    const { contentFolder, add } = createContentFolder();
    const rig = createInspectionRig({ contentFolder });
    const text = 'check surroundings';
    const document = { ...toDocument(text.length, () => []), findFile: add(text) };
    expect(await rig.pool.inspect(document)).toEqual(accepted);
  });

  it.each<[string, Partial<InspectionPoolOptions>, StoredDocument['findFile']]>([
    ['has no folder', {}, async () => ({ path: '/nowhere', key: '', chunkBytes: 3 })],
    ['gets no file', { contentFolder: '/nowhere' }, async () => undefined],
  ])('reads the content if it %s', async (_when, options, findFile) => {
    const rig = createInspectionRig(options);
    const document = { ...toDocument(4, () => ['good']), ...(findFile && { findFile }) };
    expect(await rig.pool.inspect(document)).toEqual(accepted);
  });

  it('keeps a child when its process group is signaled', async () => {
    const rig = createInspectionRig();
    expect(await rig.inspect('terminate the group')).toEqual(accepted);
  });

  it('reads a document only when its attempt starts', async () => {
    const rig = createInspectionRig({ processes: 1 });
    let isRead = false;
    const hanging = rig.inspect('hang');
    const next = rig.pool.inspect(
      toDocument(4, () => {
        isRead = true;
        return ['good'];
      }),
    );
    await rig.untilTimers([timeoutMs, maxWaitMs]);
    expect(isRead).toBe(false);
    rig.time.advance(timeoutMs);
    expect([await next, isRead]).toEqual([accepted, true]);
    await rig.untilTimers([timeoutMs]);
    rig.time.advance(timeoutMs);
    expect(await hanging).toEqual(notChecked('timeout'));
  });

  it('accepts a verdict that arrived while the parent was blocked', async () => {
    const rig = createInspectionRig({
      timeoutSeconds: 0.02,
      startTimer(ms, run) {
        if (ms === 20) setImmediate(() => block(1_000));
        return startUnrefTimer(ms, run);
      },
    });
    expect(await rig.inspect('good')).toEqual(accepted);
  });
});

describe('the inspection pool with a hostile document', () => {
  it('kills a child after the timeout, twice', async () => {
    const rig = createInspectionRig();
    const failures: InspectionFailure[] = [];
    const hanging = rig.inspect('hang', (failure) => failures.push(failure));
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      await rig.untilTimers([timeoutMs]);
      rig.time.advance(timeoutMs);
    }
    expect(await hanging).toEqual(notChecked('timeout'));
    expect(failures).toEqual([{ reason: 'timeout' }, { reason: 'timeout' }]);
    expect(await rig.inspect('good')).toEqual(accepted);
  });

  it('accepts a document whose second attempt succeeds', async () => {
    const rig = createInspectionRig();
    const texts = ['exit 3', 'honest'];
    const failures: InspectionFailure[] = [];
    const document = toDocument(6, () => [texts.shift() ?? '']);
    const verdict = await rig.pool.inspect(document, (failure) => failures.push(failure));
    expect(verdict).toEqual(accepted);
    expect(failures).toEqual([{ reason: 'crash', exitCode: 3 }]);
  });

  it.each(['fill arrays', 'fill buffers'])(
    'contains a child that exhausts memory (%s)',
    async (text) => {
      const rig = createInspectionRig({ memoryMegabytes: 256 });
      expect(await rig.inspect(text)).toEqual(notChecked('memory'));
    },
  );

  it.each([
    ['exit 3', { reason: 'crash', exitCode: 3 }],
    ['abort', { reason: 'crash', signal: 'SIGABRT' }],
    ['segfault', { reason: 'crash', signal: 'SIGSEGV' }],
    ['garbage', { reason: 'crash' }],
    ['flood', { reason: 'crash' }],
    ['lie', { reason: 'crash' }],
  ])('reports how a child failed (%s)', async (text, failure) => {
    const rig = createInspectionRig();
    const failures: InspectionFailure[] = [];
    expect(await rig.inspect(text, (one) => failures.push(one))).toEqual(notChecked('crash'));
    expect(failures).toEqual([failure, failure]);
  });

  it('inspects other documents at the same time', async () => {
    const rig = createInspectionRig({ processes: 2 });
    const hanging = rig.inspect('hang');
    await rig.untilTimers([timeoutMs]);
    const others = await Promise.all(['a', 'b', 'c', 'd'].map((text) => rig.inspect(text)));
    expect(others).toEqual([accepted, accepted, accepted, accepted]);
    rig.time.advance(timeoutMs);
    await rig.untilTimers([timeoutMs]);
    rig.time.advance(timeoutMs);
    expect(await hanging).toEqual(notChecked('timeout'));
  });

  it('runs the second attempt alone', async () => {
    const rig = createInspectionRig({ processes: 2 });
    const texts = ['exit 3', 'hang!!'];
    const order: string[] = [];
    const neighbor = rig.inspect('hang').then(() => order.push('neighbor'));
    await rig.untilTimers([timeoutMs]);
    const retried = rig.pool
      .inspect(
        toDocument(6, () => {
          order.push(texts[0] ?? '');
          return [texts.shift() ?? ''];
        }),
      )
      .then(() => order.push('retried'));
    // The second attempt waits for the other document.
    await rig.untilTimers([timeoutMs, maxWaitMs]);
    expect(order).toEqual(['exit 3']);
    rig.time.advance(timeoutMs);
    await retried;
    await rig.untilTimers([timeoutMs]);
    rig.time.advance(timeoutMs);
    await neighbor;
    expect(order).toEqual(['exit 3', 'hang!!', 'retried', 'neighbor']);
  });

  it('gives each of many waiting documents a verdict', async () => {
    const rig = createInspectionRig({ processes: 2 });
    const texts = Array.from({ length: 18 }, (_none, index) =>
      index % 6 === 5 ? 'exit 3' : 'good',
    );
    const verdicts = await Promise.all(texts.map((text) => rig.inspect(text)));
    expect(verdicts).toEqual(
      texts.map((text) => (text === 'good' ? accepted : notChecked('crash'))),
    );
  });
});

/** Other processes continue. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
