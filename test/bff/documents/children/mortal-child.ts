// An inspection child that ends when it receives data.

import { writeSync } from 'node:fs';

writeSync(3, '{"kind":"ready"}\n');
process.stdin.once('data', () => process.exit(7));
