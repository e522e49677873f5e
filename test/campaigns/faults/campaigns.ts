// Fault campaigns: kills, outages, restarts, and lost responses.

import type { Campaign } from '../campaign.ts';
import { runMatrix } from './ambiguity-matrix.ts';
import { runKills } from './kill-campaign.ts';
import { runOutage } from './outage.ts';
import { runRollingRestarts } from './rolling-restarts.ts';
import { runSameSubmit } from './same-submit.ts';

/** While an event is sent, for example after the receiver has it and before that is recorded. */
const eventPoints = /webhook|Event/;

export const faultCampaigns: readonly Campaign[] = [
  {
    group: 'matrix',
    name: 'ambiguity matrix',
    engine: 'SQLite',
    seconds: 96,
    sample: { share: 0.1, least: 108 },
    run: runMatrix,
  },
  {
    group: 'matrix',
    name: 'ambiguity matrix',
    engine: 'PostgreSQL',
    seconds: 141,
    sample: { share: 0.1, least: 108 },
    run: runMatrix,
  },
  {
    group: 'same-submit',
    name: '20 submissions at once',
    engine: 'SQLite',
    seconds: 6,
    sample: { share: 0.03, least: 3 },
    run: (context) => runSameSubmit(1, context),
  },
  {
    group: 'same-submit',
    name: '20 submissions at once, 3 BFFs',
    engine: 'PostgreSQL',
    seconds: 41,
    sample: { share: 0.03, least: 3 },
    run: (context) => runSameSubmit(3, context),
  },
  {
    group: 'kills',
    name: 'SIGKILL',
    engine: 'SQLite',
    seconds: 400,
    sample: { share: 0.04, least: 16 },
    run: (context) => runKills({ kills: 400, seed: 1 }, context),
  },
  {
    group: 'kills',
    name: 'SIGKILL',
    engine: 'PostgreSQL',
    seconds: 300,
    sample: { share: 0.05, least: 12 },
    run: (context) => runKills({ kills: 250, seed: 2 }, context),
  },
  {
    group: 'kills',
    name: 'SIGKILL, 3 BFFs, server crashes',
    engine: 'PostgreSQL',
    seconds: 300,
    run: (context) => runKills({ kills: 350, processes: 3, crashesServer: true, seed: 1 }, context),
  },
  {
    group: 'kills',
    name: 'SIGKILL while events are sent',
    engine: 'SQLite',
    seconds: 80,
    sample: { share: 0.1, least: 8 },
    run: (context) => runKills({ kills: 80, points: eventPoints, seed: 3 }, context),
  },
  {
    group: 'kills',
    name: 'SIGKILL while events are sent, 2 BFFs',
    engine: 'PostgreSQL',
    seconds: 60,
    sample: { share: 0.1, least: 8 },
    run: (context) => runKills({ kills: 80, points: eventPoints, processes: 2, seed: 3 }, context),
  },
  {
    group: 'outage',
    name: '78 h without the service',
    engine: 'SQLite',
    seconds: 45,
    sample: { share: 0.003, least: 30 },
    run: runOutage,
  },
  {
    group: 'outage',
    name: '78 h without the service',
    engine: 'PostgreSQL',
    seconds: 168,
    run: runOutage,
  },
  {
    group: 'rolling',
    name: 'rolling restarts, 3 BFFs',
    engine: 'PostgreSQL',
    seconds: 410,
    sample: { share: 0.015, least: 3 },
    run: runRollingRestarts,
  },
];
