// Runs everything that proves the project, and sums it up in one last line.
//   npm test                      all of it
//   npm test -- --only=node,e2e   some of: static, node, faults, hostile, browser, e2e
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { missingEngines, readBrowsers } from './browsers.mjs';
import { missingPostgres } from './postgres.mjs';
import { addCounts, describeTotal } from './reports.mjs';
import { runCommand } from './run-command.mjs';
import { groups, listStages } from './stages.mjs';

/** Two cores: more commands at once only make each of them slower. */
const lanes = 2;

const only = readGroups(process.argv.slice(2));
const reportFolder = mkdtempSync(join(tmpdir(), 'funding-application-'));
process.once('exit', () => rmSync(reportFolder, { recursive: true, force: true }));
process.exitCode = await runAll(listStages(only, reportFolder));

async function runAll(stages) {
  const startedAt = Date.now();
  const rowsOf = new Map();
  const runInTurn = async (queue) => {
    for (let stage = queue.shift(); stage; stage = queue.shift()) {
      rowsOf.set(stage, await runStage(stage));
    }
  };
  const light = stages.filter(({ isLight }) => isLight);
  await Promise.all(Array.from({ length: lanes }, () => runInTurn(light)));
  await runInTurn(stages.filter(({ isLight }) => !isLight));

  const rows = stages.flatMap((stage) => rowsOf.get(stage));
  const total = addCounts(rows.map(({ counts }) => counts));
  const missing = [
    ...(only.includes('node') || only.includes('faults') ? missingPostgres() : []),
    ...(only.includes('browser') ? missingEngines(readBrowsers()) : []),
  ];
  console.log(`\n${describeRows(rows)}\n`);
  for (const problem of total.problems) console.log(problem);
  console.log(`took ${seconds(Date.now() - startedAt)} s`);
  console.log(describeTotal(total, missing).join('\n'));
  return total.failed === 0 ? 0 : 1;
}

async function runStage(stage) {
  const { exitCode, output, durationMs } = await runCommand(stage.command, stage.env);
  const rows = Object.entries(stage.count(exitCode)).map(([name, counts]) => ({
    name,
    counts,
    durationMs,
  }));
  const hasFailed = rows.some(({ counts }) => counts.failed > 0);
  if (hasFailed)
    console.log(`\n── ${stage.name} failed: ${stage.command[0]} said\n${output.trim()}\n`);
  else console.log(`${stage.name} ok`);
  return rows;
}

function describeRows(rows) {
  const line = (name, ...cells) =>
    name.padEnd(16) + cells.map((cell) => String(cell).padStart(9)).join('');
  return [
    line('stage', 'seconds', 'passed', 'failed', 'skipped'),
    ...rows.map(({ name, counts, durationMs }) =>
      line(name, seconds(durationMs), counts.passed, counts.failed, counts.skipped),
    ),
  ].join('\n');
}

function seconds(ms) {
  return (ms / 1000).toFixed(1);
}

function readGroups(args) {
  const option = args.find((arg) => arg.startsWith('--only='));
  const chosen = option ? option.slice('--only='.length).split(',') : groups;
  const unknown = [
    ...args.filter((arg) => arg !== option),
    ...chosen.filter((group) => !groups.includes(group)),
  ];
  if (unknown.length === 0) return chosen;
  console.error(`Unknown: ${unknown.join(' ')}. Usage: npm test -- [--only=${groups.join(',')}]`);
  process.exit(1);
}
