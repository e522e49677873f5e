// The element in every engine, mode, and cookie policy. The tests print how the session travels in each combination.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../../scripts/project.mjs';
import type { Campaign } from '../../campaigns/campaign.ts';
import { allVariable, cookiePolicies, engines, modes } from './combinations.ts';

const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const options = '--config test/release/vitest.config.ts --project browsers --passWithNoTests';

/** Requires the built widget. */
export const browserCampaigns: readonly Campaign[] = engines.map((engine) => ({
  group: 'browsers',
  name: `all cookie policies in ${engine}`,
  seconds: 90,
  async run() {
    const args = [vitest, 'run', ...options.split(' '), `${engine}.journeys`];
    const env = { ...process.env, [allVariable]: '1' };
    const { status } = spawnSync(process.execPath, args, { cwd: root, env, stdio: 'inherit' });
    const runs = cookiePolicies.length * modes.length;
    return { runs, unit: 'combinations', problems: status === 0 ? [] : [`${engine} fails`] };
  },
}));
