// An applicant in Firefox.

import { describeApplicant } from './describe-applicant.ts';

describeApplicant('firefox');
