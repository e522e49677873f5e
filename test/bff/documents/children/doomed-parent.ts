// A parent with an idle child and one that parses without end, to be killed with both. Prints their process ids.

import { listChildren } from '../../../../bench/memory.ts';
import { startKeepAliveTimer, type StartTimer } from '../../../../bff/runtime/timers.ts';
import { createInspectionPool } from '../../../../bff/documents/inspection-pool.ts';

const timeoutMs = 600_000;
const program = new URL('./scripted-child.ts', import.meta.url);
let tellHanging: () => void = () => undefined;
const isHanging = new Promise<void>((resolve) => (tellHanging = resolve));

/** The timeout of an inspection begins when the child has the whole document. */
const startTimer: StartTimer = (ms, run) => {
  if (ms === timeoutMs) tellHanging();
  return startKeepAliveTimer(ms, run);
};

const pool = createInspectionPool({ startTimer, timeoutMs, program });
void inspect('hang');
await isHanging;
await inspect('good');
process.stdout.write(`${listChildren(process.pid).join(' ')}\n`);

function inspect(text: string): Promise<unknown> {
  return pool.inspect({
    extension: 'pdf',
    options: { allowedExtensions: ['pdf', 'png'] },
    bytes: text.length,
    async *content() {
      yield Buffer.from(text);
    },
  });
}
