// An inspection child that ends as soon as it is sent something.

import { writeSync } from 'node:fs';

writeSync(3, '{"kind":"ready"}\n');
process.stdin.once('data', () => process.exit(7));
