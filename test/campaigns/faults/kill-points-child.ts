// Reaches a point four times and is killed at the third.

import { createKiller } from './kill-points.ts';

const reportPoint = createKiller('point', 3);
for (let occurrence = 1; occurrence <= 4; occurrence += 1) {
  reportPoint('another point');
  reportPoint('point');
  // Wait until the message is sent: the parent reads the pipe after this process was killed.
  await new Promise((resolve) => {
    process.send?.(occurrence, resolve);
  });
}
