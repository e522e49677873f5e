// A process that owns an SQLite store, commits one session, says so, and waits: to be killed, or for the end of its input.

import { openJournal } from '../../../bff/journal/open-journal.ts';

const [url = '', sessionId = ''] = process.argv.slice(2);
const journal = await openJournal(url, { isOwner: true });
await journal.addSession({
  id: sessionId,
  origin: 'https://a',
  createdAt: 1,
  endedAt: undefined,
});
process.stdout.write('committed\n');
process.stdin.resume();
