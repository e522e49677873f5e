// An inspection child that reports ready and does not read.

import { writeSync } from 'node:fs';

writeSync(3, '{"kind":"ready"}\n');
setInterval(() => undefined, 60_000);
