// A campaign is a long test. `npm run test:campaigns` runs all of them; a small version of each is part of `npm test`.

import type { PostgresServer } from '../support/postgres-server.ts';
import type { TableRow } from './table.ts';

export interface Campaign {
  /** `--only` chooses campaigns by group. */
  readonly group: string;
  readonly name: string;
  /** Duration of the full run, measured on two cores. A time budget shortens the run in proportion. */
  readonly seconds: number;
  /** Runs only if `--only` names its group, because it downloads files. */
  readonly isOptIn?: true;
  readonly run: (context: CampaignContext) => Promise<CampaignRow>;
}

export interface CampaignContext {
  /** The part of the full run that fits into the time budget: 1 is the full run. */
  readonly share: number;
  /** Path of the bundled BFF process. The first call builds it. */
  getProgram(): Promise<string>;
  /** One server for all campaigns. The first call starts it. */
  getPostgres(): Promise<PostgresServer>;
}

export type CampaignRow = Omit<TableRow, 'campaign' | 'violations' | 'seconds'> & {
  /** Each fails the campaign. */
  readonly problems: readonly string[];
};
