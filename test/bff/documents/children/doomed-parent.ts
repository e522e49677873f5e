// A parent with an idle child and one that parses without end, to be killed with both. Prints their process ids.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterKeepingAlive } from '../../../../bff/after.ts';
import { createInspectionPool } from '../../../../bff/documents/inspection-pool.ts';
import { listChildren } from '../../../../bench/memory.ts';

const program = new URL('./scripted-child.ts', import.meta.url);
const pool = createInspectionPool({ after: afterKeepingAlive, timeoutMs: 600_000, program });
void inspect('hang');
await inspect('good');
// The hanging one has received its document when it has used processor time for it.
await sleep(500);
process.stdout.write(`${listChildren(process.pid).join(' ')}\n`);

function inspect(text: string): Promise<unknown> {
  return pool.inspect({
    extension: 'pdf',
    allowedExtensions: ['pdf', 'png'],
    bytes: text.length,
    async *content() {
      yield Buffer.from(text);
    },
  });
}
