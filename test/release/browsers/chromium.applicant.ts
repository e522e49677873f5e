// An applicant in Chromium.

import { describeApplicant } from './describe-applicant.ts';

describeApplicant('chromium');
