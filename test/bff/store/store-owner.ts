// A process that owns an SQLite store. It commits one application with its session, prints "committed", and runs until it is killed or
// its input ends.

import { openStore } from '../../../bff/store/open-store.ts';
import { createNewApplication, createSession } from './contract/rows.ts';

const [url = '', sessionId = ''] = process.argv.slice(2);
const store = await openStore(url, { isOwner: true });
await store.addApplication(
  createNewApplication({
    id: `of ${sessionId}`,
    session: createSession(sessionId),
    idempotencyKey: `of ${sessionId}`,
  }),
  [],
);
process.stdout.write('committed\n');
process.stdin.resume();
