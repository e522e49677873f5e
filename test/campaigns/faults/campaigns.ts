// Fault campaigns: kills, outages, restarts, and lost responses.

import { toCampaigns } from '../campaign.ts';
import { runMatrix } from './ambiguity-matrix.ts';
import { runKills } from './kill-campaign.ts';
import { runOutage } from './outage.ts';
import { runRollingRestarts } from './rolling-restarts.ts';
import { runSameSubmit } from './same-submit.ts';

/** While an event is sent, for example after the receiver has it and before that is recorded. */
const ofEvents = { kills: 80, points: /webhook|Event/, seed: 3 };
const ofServer = { kills: 350, processes: 3, crashesServer: true, seed: 1 };
const pg = 'PostgreSQL';
const lite = 'SQLite';

export const faultCampaigns = toCampaigns({
  matrix: [
    ['ambiguity matrix', 96, [0.1, 108], runMatrix, lite],
    ['ambiguity matrix', 141, [0.1, 108], runMatrix, pg],
  ],
  'same-submit': [
    ['20 submissions at once', 6, [0.03, 3], (context) => runSameSubmit(1, context), lite],
    ['20 submissions at once, 3 BFFs', 41, [0.03, 3], (context) => runSameSubmit(3, context), pg],
  ],
  kills: [
    ['SIGKILL', 400, [0.02, 8], (context) => runKills({ kills: 400, seed: 1 }, context), lite],
    ['SIGKILL', 300, [0.025, 6], (context) => runKills({ kills: 250, seed: 2 }, context), pg],
    [
      'SIGKILL, 3 BFFs, server crashes',
      300,
      undefined,
      (context) => runKills(ofServer, context),
      pg,
    ],
    [
      'SIGKILL while events are sent',
      80,
      [0.05, 4],
      (context) => runKills(ofEvents, context),
      lite,
    ],
    [
      'SIGKILL while events are sent, 2 BFFs',
      60,
      [0.05, 4],
      (context) => runKills({ ...ofEvents, processes: 2 }, context),
      pg,
    ],
  ],
  outage: [
    ['78 h without the service', 45, [0.003, 30], runOutage, lite],
    ['78 h without the service', 168, undefined, runOutage, pg],
  ],
  rolling: [['rolling restarts, 3 BFFs', 410, [0.015, 3], runRollingRestarts, pg]],
});
