// A parent process with an idle child and a blocked one, which a test kills. It prints the process ids of the children.

import { listChildren } from '../../../../bench/memory.ts';
import { inspectionDefaults } from '../../../../bff/config/settings.ts';
import { startKeepAliveTimer, type StartTimer } from '../../../../bff/runtime/timers.ts';
import { createInspectionPool } from '../../../../bff/documents/inspection-pool.ts';

const timeoutMs = 600_000;
const program = new URL('./scripted-child.ts', import.meta.url);
let reportBlocked: () => void = () => undefined;
const isBlocked = new Promise<void>((resolve) => (reportBlocked = resolve));

/** The timeout of an inspection starts when the child has the whole document. */
const startTimer: StartTimer = (ms, run) => {
  if (ms === timeoutMs) reportBlocked();
  return startKeepAliveTimer(ms, run);
};

const pool = createInspectionPool({
  ...inspectionDefaults,
  startTimer,
  timeoutSeconds: timeoutMs / 1_000,
  program,
});
void inspect('hang');
await isBlocked;
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
