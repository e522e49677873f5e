// Passes a point four times, and is killed at the third.

import { createKiller } from './kill-points.ts';

const pass = createKiller('point', 3);
for (let delay = 1; delay <= 4; delay += 1) {
  pass('another point');
  pass('point');
  // Told before the next: what is in the pipe survives its sender.
  await new Promise((resolve) => {
    process.send?.(delay, resolve);
  });
}
