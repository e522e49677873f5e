// An inspection child that says it is ready, and then reads nothing.

import { writeSync } from 'node:fs';

writeSync(3, '{"kind":"ready"}\n');
setInterval(() => undefined, 60_000);
