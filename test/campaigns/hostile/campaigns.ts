// The campaigns with hostile clients, documents, and load.

import { toCampaigns } from '../campaign.ts';
import { runCanaryErrors } from './canary-errors.ts';
import { runBombsOverHttp, runFilesOverHttp } from './files-over-http.ts';
import { runForgedAddresses } from './forwarded-for.ts';
import { runHostileFiles, runMutants } from './hostile-files.ts';
import * as input from './hostile-input.ts';
import { runHostileNames } from './hostile-names.ts';
import { runExtraKeys, runUrlsAndHeaders } from './mass-assignment.ts';
import { runLargeScan } from './large-scan.ts';
import { runMixedLoad } from './mixed-load.ts';
import { sweepPaths } from './path-variants.ts';
import { sweepRoutes } from './route-sweep.ts';
import { runRaces } from './session-races.ts';
import { attackSeals } from './session-seals.ts';
import { runSlowAddress, runSlowKinds } from './slow-clients.ts';
import { runSmuggling } from './smuggling.ts';

export const hostileCampaigns = toCampaigns({
  routes: [
    ['route sweep', 500, [0.005, 12_000], ({ share }) => sweepRoutes({ share })],
    ['path variants', 10, [1, 5_000], ({ share }) => sweepPaths({ share })],
  ],
  smuggling: [['ambiguous message ends', 60, [0.5, 120], runSmuggling]],
  sessions: [
    ['changed session seals', 60, [0.07, 7_500], attackSeals],
    ['concurrent requests', 30, [0.14, 140], runRaces],
  ],
  input: [
    ['naughty strings in fields', 15, [0.2, 2_500], input.runFields],
    ['naughty strings in leads', 15, [0.2, 90], input.runSubmissions],
    ['naughty strings in headers', 15, [0.2, 1_000], input.runHeaders],
    ['naughty strings in other bodies', 15, [0.2, 300], input.runOtherBodies],
    ['generated bodies', 350, [0.004, 4_000], input.runBodies],
    ['generated bodies, whole BFF', 250, [0.01, 400], input.runBodiesThroughBff],
    ['unknown names in bodies', 2, [1, 400], runExtraKeys],
    ['unknown names in URLs and headers', 15, [0.25, 350], runUrlsAndHeaders],
  ],
  canaries: [['every problem and event', 30, [1, 40], runCanaryErrors]],
  'forwarded-for': [['forged addresses', 10, [1, 240], runForgedAddresses]],
  slow: [
    ['slow clients by kind', 200, undefined, runSlowKinds],
    ['slow clients from one address', 60, [0.2, 25], runSlowAddress],
  ],
  load: [['mixed load', 70, [0.05, 100], runMixedLoad]],
  'hostile-files': [
    ['hostile files', 250, [1 / 23, 500], runHostileFiles],
    ['damaged files', 200, [0.005, 50], runMutants],
    ['hostile names', 10, [1 / 8, 50], runHostileNames],
    ['hostile files over HTTP', 400, undefined, runFilesOverHttp],
  ],
  inspection: [
    ['decompression bombs through the BFF', 280, undefined, runBombsOverHttp],
    ['a valid 25 MB scan', 1, [1, 1], runLargeScan],
  ],
});
