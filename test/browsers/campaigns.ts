// The element in every engine, mode, and cookie policy. The campaign prints a table with one line per combination.

import type { Campaign, CampaignRow } from '../campaigns/campaign.ts';
import { findObstacle } from './browser.ts';
import { cookiePolicies, engines, listCells, type Cell, type Engine } from './cells.ts';
import { scenarios } from './check-journey.ts';
import { startBrowserRig, type BrowserRig } from './rig.ts';
import { listProblems, toTableHead, toTableLine, type Walked } from './table.ts';

/** Requires the built widget. */
export const browserCampaigns: readonly Campaign[] = engines.map((engine) => ({
  group: 'browsers',
  name: `all cookie policies in ${engine}`,
  seconds: 90,
  run: () => runEngine(engine),
}));

async function runEngine(engine: Engine): Promise<CampaignRow> {
  const cells = listCells(engine, cookiePolicies);
  const rig = await startBrowserRig();
  const lines: string[] = [];
  const problems: string[] = [];
  try {
    for (const cell of cells) {
      const walked = findObstacle(cell) ?? (await walk(rig, cell));
      lines.push(toTableLine(cell, walked));
      problems.push(...listProblems(walked));
    }
  } finally {
    await rig.stop();
  }
  process.stdout.write(`\n${[toTableHead(), ...lines].join('\n')}\n\n`);
  const walkedCells = cells.filter((cell) => findObstacle(cell) === undefined).length;
  return {
    engine: 'SQLite',
    runs: `${walkedCells} of ${cells.length} combinations`,
    notes: `${Object.keys(scenarios).length} checks each`,
    problems,
  };
}

async function walk(rig: BrowserRig, cell: Cell): Promise<Walked> {
  try {
    return await rig.walk(cell);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
