// The table of probes, in the order of the run.

import type { Probe } from './probe.ts';
import {
  assetReportProbes,
  contactUserProbes,
  offerProbes,
  preApprovalProbes,
} from './probes/lead-operations.ts';
import { createLeadProbes, orderProbes } from './probes/create-lead.ts';
import { generalProbes } from './probes/general.ts';
import { secondLoginProbes, tokenProbes, wrongLoginProbes } from './probes/token.ts';
import { uploadFileProbes } from './probes/upload-file.ts';

/** The wrong logins are the last requests. The general rows summarize all answers. */
export const probes: readonly Probe[] = [
  ...tokenProbes,
  ...createLeadProbes,
  ...orderProbes,
  ...preApprovalProbes,
  ...contactUserProbes,
  ...assetReportProbes,
  ...uploadFileProbes,
  ...offerProbes,
  ...secondLoginProbes,
  ...wrongLoginProbes,
  ...generalProbes,
];
