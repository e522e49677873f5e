// `node test/browsers/run.ts`: the widget in every engine, mode and cookie policy, and their table. Needs the widget built.
//   node test/browsers/run.ts --engines=firefox                    some engines
//   node test/browsers/run.ts --policies=default,all-blocked       some policies

import { parseArgs } from 'node:util';
import { describeMachine } from '../faults/table.ts';
import { findObstacle } from './browser.ts';
import { cookiePolicies, engines, listCells, type Cell } from './cells.ts';
import { scenarios } from './judge.ts';
import { startBrowserRig, type BrowserRig } from './rig.ts';
import { listProblems, toTableHead, toTableLine, type Walked } from './table.ts';

const { values } = parseArgs({
  options: { engines: { type: 'string' }, policies: { type: 'string' } },
});
const policies = choose('policies', cookiePolicies);
const cells = choose('engines', engines).flatMap((engine) => listCells(engine, policies));

// An exit ends servers and browsers; a signal by itself would leave them.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

process.exitCode = await runAll();

async function runAll(): Promise<number> {
  const rig = await startBrowserRig();
  const lines: string[] = [];
  const problems: string[] = [];
  const startedAt = performance.now();
  try {
    for (const cell of cells) {
      const walked = findObstacle(cell) ?? (await walk(rig, cell));
      lines.push(toTableLine(cell, walked));
      write(`${lines.at(-1)}\n`);
      for (const problem of listProblems(walked)) {
        problems.push(problem);
        write(`   ${problem}\n`);
      }
    }
  } finally {
    await rig.stop();
  }
  const walkedCells = cells.filter((cell) => findObstacle(cell) === undefined).length;
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const checks = Object.keys(scenarios).length;
  write(`\n${describeMachine(new Date())}\n\n${[toTableHead(), ...lines].join('\n')}\n\n`);
  write(`${walkedCells} of ${cells.length} cells with ${checks} checks each in ${seconds} s, `);
  write(`${problems.length} problems\n`);
  return problems.length === 0 ? 0 : 1;
}

async function walk(rig: BrowserRig, cell: Cell): Promise<Walked> {
  try {
    return await rig.walk(cell);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function choose<Name extends string>(
  option: keyof typeof values,
  names: readonly Name[],
): readonly Name[] {
  const chosen = values[option]?.split(',');
  const unknown = chosen?.find((name) => !names.some((known) => known === name));
  if (unknown !== undefined) throw new Error(`${unknown} is none of ${names.join(', ')}`);
  return names.filter((name) => chosen?.includes(name) ?? true);
}

function write(text: string): void {
  process.stdout.write(text);
}
