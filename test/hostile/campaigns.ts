// The long campaigns against hostile clients: what each sends, and the figures it puts into the table.

import type { Campaign } from '../faults/campaigns.ts';

/** Each takes its share from the context, and needs neither the bundled process nor PostgreSQL. */
export const hostileCampaigns: readonly Campaign[] = [];
