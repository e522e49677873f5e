// The widget in Firefox.

import { describeEngine } from './describe-engine.ts';

describeEngine('firefox');
