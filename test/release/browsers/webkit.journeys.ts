// The widget in WebKitGTK.

import { describeEngine } from './describe-engine.ts';

describeEngine('webkit');
