// Sends 200 requests per second of all kinds, including large documents, to a BFF process.

import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { quantile, toMedian } from '../../../bench/goals.ts';
import { readResidentBytes } from '../../../bench/memory.ts';
import { getLargePdf } from '../../support/files/realistic-files.ts';
import { createTextPdf } from '../../support/files/pdf.ts';
import { groupBy } from '../../support/group-by.ts';
import { createRandom } from '../../support/random.ts';
import { above, type CampaignContext, type CampaignRow, scale } from '../campaign.ts';
import { judge } from '../faults/invariants.ts';
import { startLoad } from '../faults/load.ts';
import { awaitReady, startRig } from '../faults/rig.ts';

/** Each makes about seven requests. */
const applicantsPerSecond = 28;
/** Every tenth applicant sends a large document. */
const largeMebibytes = [1, 3, 5, 10];
const mebibyte = 2 ** 20;
const memoryEveryMs = 250;
/** A process that retains memory of every request grows by more than this in a minute of 12,000 requests. */
const maxGrowth = 96;

/** Each accepted item must be delivered once, and each request answered in the end. The full run takes one minute. */
export async function runMixedLoad(context: CampaignContext): Promise<CampaignRow> {
  const rig = await startRig(context, { processes: 1 });
  const bff = rig.start(rig.ports[0]!);
  await awaitReady(bff);
  const large: Uint8Array[] = [];
  for (const size of largeMebibytes)
    large.push(await readFile((await getLargePdf(size * mebibyte)).path));
  const chooseDocument = (number: number) => {
    const document = number % 10 === 0 ? large[(number / 10) % large.length] : undefined;
    // Comments after the end of a PDF are allowed. They make each document unique.
    return document
      ? Buffer.concat([document, Buffer.from(`% ${number}\n`)])
      : createTextPdf(`Statement of applicant ${number}`, 24_000);
  };
  const memory: number[] = [];
  const sampler = setInterval(() => {
    memory.push(Math.round(readResidentBytes(bff.processId) / mebibyte));
  }, memoryEveryMs);
  const { history, send } = rig;
  const random = createRandom(5);
  const startedAt = performance.now();
  const load = startLoad({ send, history, applicantsPerSecond, random, chooseDocument });
  await sleep(scale(60_000, context.share));
  await load.stop();
  const seconds = (performance.now() - startedAt) / 1_000;
  clearInterval(sampler);
  const verdict = judge(await rig.finish([bff]));

  // Applicants repeat a request that got no answer, as the element does.
  const wishes = groupBy(history.calls, ({ applicant, action, content = '' }) =>
    [applicant, action, action === 'submit' ? '' : content].join(),
  );
  const unserved = [...wishes].filter(([, calls]) =>
    calls.every(({ outcome }) => outcome !== 'ok'),
  );
  const lost = history.calls.filter(({ outcome }) => outcome === 'info');
  const quarter = Math.max(1, Math.floor(memory.length / 4));
  const [warm, end] = [memory.slice(quarter, 2 * quarter), memory.slice(-quarter)].map(toMedian);
  const peak = Math.max(...memory);
  const p95 = [...groupBy(history.calls, ({ action }) => action)].map(([action, calls]) => {
    const sorted = calls.map((call) => call.endedAt - call.invokedAt).toSorted((a, b) => a - b);
    return `${action} ${Math.round(quantile(sorted, 0.95))}`;
  });
  return {
    runs: history.calls.length,
    unit: 'requests',
    ...verdict,
    notes: `${Math.round(history.calls.length / seconds)} per second, p95 in ms: ${p95.join(', ')}; memory ${warm} MiB after the warm-up, ${peak} MiB peak, ${end} MiB at the end`,
    problems: [
      ...verdict.problems,
      ...unserved.map(([wish]) => `never served: ${wish}`),
      // A sample has other work beside it.
      ...(context.share < 1 ? [] : above(lost.length, 0, 'requests without an answer')),
      ...above((end ?? 0) - (warm ?? 0), maxGrowth, 'MiB of growth'),
      ...above(peak, 512, 'MiB of memory'),
    ],
  };
}
