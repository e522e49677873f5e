// Starts the workers of the BFF with the server, and stops them before the process ends.

import { getBff } from './bff.js';

const bff = await getBff();
await bff.start();

async function stop() {
  const result = await bff.stop();
  // Next sends the last responses meanwhile.
  setTimeout(() => process.exit(result === 'recorded' ? 0 : 1), 500);
}

for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => void stop());
