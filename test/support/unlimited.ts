// Settings without limits, for tests and benchmarks that send more, and faster, than people do.

import { join } from 'node:path';
import type { Settings } from '../../bff/config/settings.ts';
import settings from './unlimited-settings.json' with { type: 'json' };

export const unlimited: Settings['limits'] = settings.limits;

/** Path for FUNDING_SETTINGS of a process. */
export const unlimitedSettingsPath = join(import.meta.dirname, 'unlimited-settings.json');
