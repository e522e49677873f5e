// A process that owns an SQLite store. It commits one session, prints "committed", and runs until it is killed or its input ends.

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
