// Settings without a limit, for tests and figures that send more, and faster, than people do.

import { join } from 'node:path';
import type { Settings } from '../../bff/config/settings.ts';
import settings from './unlimited-settings.json' with { type: 'json' };

export const unlimited: Settings['limits'] = settings.limits;

/** What a process can be given as FUNDING_SETTINGS. */
export const unlimitedSettingsPath = join(import.meta.dirname, 'unlimited-settings.json');
