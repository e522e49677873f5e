// A process that owns an SQLite store, commits one session, says so, and waits: to be killed, or for the end of its input.

import { openStore } from '../../../bff/store/open-store.ts';

const [url = '', sessionId = ''] = process.argv.slice(2);
const store = await openStore(url, { isOwner: true });
await store.addSession({
  id: sessionId,
  origin: 'https://a',
  createdAt: 1,
});
process.stdout.write('committed\n');
process.stdin.resume();
