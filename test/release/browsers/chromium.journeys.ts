// The widget in Chromium.

import { describeEngine } from './describe-engine.ts';

describeEngine('chromium');
