// An applicant in WebKitGTK.

import { describeApplicant } from './describe-applicant.ts';

describeApplicant('webkit');
