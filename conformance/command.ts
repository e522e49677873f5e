// The command: reads its options and the environment, shows what it will send, asks, runs, and writes the report.

import { parseArgs } from 'node:util';
import { EnvironmentReader, type VariableSource } from '../bff/config/environment-reader.ts';
import { readFundingService } from '../bff/config/config.ts';
import type { Transport, TransportRequest } from '../bff/funding-service/transport.ts';
import { operations } from '../shared/funding-service/operations.ts';
import type { Environment } from '../shared/api/configuration.ts';
import { createMask, type Mask } from './mask.ts';
import { findProductionSign } from './production-signs.ts';
import { type Rehearsal, rehearse } from './rehearsal.ts';
import { countVerdicts, toLine, toMarkdown, toSummary } from './report.ts';
import { type Report, runProbes } from './run.ts';
import { type Limits, maxRefusedLogins } from './session.ts';
import { testDataLines } from './test-data.ts';

export interface ConformanceIo extends VariableSource {
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
  /** Asks the operator. `undefined`: nobody can answer. */
  readonly ask: (question: string) => Promise<string | undefined>;
  readonly clock: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly createTransport: () => Transport & { readonly close?: () => Promise<void> };
  /** Replaces the file as a whole. */
  readonly writeFile: (path: string, text: string) => void;
  readonly isInterrupted: () => boolean;
}

/** 0: no differences. 1: not run, or not to the end. 3: differences. 130: interrupted. */
export type ExitCode = 0 | 1 | 3 | 130;

export const help = `Usage: bff conformance --environment <staging|sandbox> [options]

Sends a table of requests to the funding service and reports row by row what it
does, above all where the specification is silent. Prints the settings that
follow. Reads the variables FUNDING_… and FUNDING_SETTINGS like the BFF.
\`bff\` stands for "npx funding-application-bff" in a project with the package,
and for "npm run --silent bff --" in a clone.

It creates leads with test data, and asks for confirmation first. It refuses
production.

--environment  staging, or sandbox (the command "bff sandbox" starts it)
--dry-run      prints the requests with secrets masked, and sends nothing
--yes          does not ask
--resume       continues the run in the report file, and repeats the rows that
               were not testable
--output       folder of the report (default: conformance-report)
--skip         beginnings of row ids, separated by commas: asset-report,token/
--delay-ms     between two calls (default: 1000)
--max-calls    ends the run after this many calls (default: 400)
--max-leads    creates no more leads than this (default: 40)

Exit code: 0 no differences, 3 differences, 1 not run to the end, 130 Ctrl-C.
`;

const options = {
  environment: { type: 'string' },
  'dry-run': { type: 'boolean' },
  yes: { type: 'boolean' },
  resume: { type: 'boolean' },
  output: { type: 'string' },
  skip: { type: 'string' },
  'delay-ms': { type: 'string' },
  'max-calls': { type: 'string' },
  'max-leads': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Ends the command before it sends anything. */
class Refusal extends Error {}

export async function runConformance(
  args: readonly string[],
  io: ConformanceIo,
): Promise<ExitCode> {
  try {
    return await run(args, io);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    io.printError(error.message);
    return 1;
  }
}

async function run(args: readonly string[], io: ConformanceIo): Promise<ExitCode> {
  const values = readOptions(args);
  if (values.help) {
    io.print(help);
    return 0;
  }
  const environment = readEnvironmentName(values.environment);
  const limits: Limits = {
    delayMs: readNumber('delay-ms', values['delay-ms'], 1_000, environment === 'sandbox' ? 0 : 200),
    maxCalls: readNumber('max-calls', values['max-calls'], 400, 1),
    maxLeads: readNumber('max-leads', values['max-leads'], 40, 1),
  };
  const { service, settings } = readService(environment, io);
  const skipped = values.skip?.split(',').filter((beginning) => beginning !== '') ?? [];
  const parts = { environment, service, settings, limits, skipped };
  const mask = createMask(service);
  const files = toFiles(values.output ?? 'conformance-report', environment);
  const earlier = values.resume ? readEarlier(files.json, parts, io) : undefined;

  const rehearsal = await rehearse(parts);
  if (values['dry-run']) {
    for (const { operation, request } of rehearsal.requests) {
      io.print(await describeRequest(operation, request, mask));
    }
    io.print(`${rehearsal.requests.length} requests. Nothing was sent.`);
    return 0;
  }
  io.print(describePlan(parts, rehearsal, earlier));
  if (environment !== 'sandbox' && !values.yes) await confirm(service.baseUrl, io);

  const transport = io.createTransport();
  const save = (report: Report) => {
    io.writeFile(files.json, `${JSON.stringify(report, undefined, 2)}\n`);
    io.writeFile(files.markdown, toMarkdown(report));
  };
  const report = await runProbes({
    ...parts,
    earlier,
    transport,
    clock: io.clock,
    sleep: io.sleep,
    isInterrupted: io.isInterrupted,
    onRow: (row, soFar) => {
      io.print(toLine(row));
      save(soFar);
    },
  });
  await transport.close?.();
  save(report);
  io.print(toSummary(report));
  io.print(`\nReport: ${files.markdown} and ${files.json}`);
  if (report.state === 'interrupted') return 130;
  if (report.state === 'stopped') {
    io.printError(report.reason ?? 'The run has ended early.');
    return 1;
  }
  return countVerdicts(report.rows).differs > 0 ? 3 : 0;
}

function readOptions(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    const message = error instanceof Error ? error.message.split('\n')[0] : '';
    throw new Refusal(`${message}\n\n${help}`);
  }
}

function readEnvironmentName(name: string | undefined): 'staging' | 'sandbox' {
  if (name === 'staging' || name === 'sandbox') return name;
  if (name === undefined) throw new Refusal(`--environment is missing. Use staging.\n\n${help}`);
  if (name === 'production') {
    throw new Refusal(
      '--environment production is refused, always: the command creates test leads and sends wrong requests, and the staff of the lender would work on them. Use staging.',
    );
  }
  throw new Refusal('--environment is not an environment of this command. Use staging or sandbox.');
}

function readNumber(name: string, text: string | undefined, byDefault: number, minimum: number) {
  if (text === undefined) return byDefault;
  const number = /^\d{1,6}$/.test(text) ? Number(text) : -1;
  if (number >= minimum) return number;
  throw new Refusal(`--${name} must be a whole number of at least ${minimum}.`);
}

/** Reads the variables as the BFF does, and refuses signs of production. Reports all problems at once. */
function readService(environment: 'staging' | 'sandbox', io: ConformanceIo) {
  const set = io.variables['FUNDING_ENVIRONMENT'];
  const source = { ...io, variables: { ...io.variables, FUNDING_ENVIRONMENT: environment } };
  const reader = new EnvironmentReader(source);
  if (set && set !== environment) {
    const fix = `Unset it, and set the other variables to the values of ${environment}.`;
    const given = set === 'production' ? 'is production' : 'names another environment';
    reader.problem('FUNDING_ENVIRONMENT', `${given}, but --environment is ${environment}. ${fix}`);
  }
  const parts = readFundingService(reader, environment);
  const urls = {
    FUNDING_AUTH_URL: parts.service.authUrl,
    FUNDING_BASE_URL: parts.service.baseUrl,
  };
  for (const [name, url] of Object.entries(urls)) {
    const sign =
      environment === 'staging' && URL.canParse(url) ? findProductionSign(url) : undefined;
    if (sign === undefined) continue;
    reader.problem(
      name,
      `contains “${sign}”, a sign of production, which this command refuses. Use the URL of staging.`,
    );
  }
  const problems = reader.problems();
  if (problems.length === 0) return parts;
  throw new Refusal(
    `The configuration is not valid:\n${problems.map((line) => `  ${line}`).join('\n')}`,
  );
}

function toFiles(folder: string, environment: Environment) {
  const base = `${folder.replace(/\/+$/, '')}/${environment}`;
  return { json: `${base}.json`, markdown: `${base}.md` };
}

function readEarlier(
  path: string,
  { environment, service }: Parameters<typeof rehearse>[0],
  io: ConformanceIo,
): Report {
  let report: Report;
  try {
    report = JSON.parse(io.readFile(path)) as Report;
  } catch {
    throw new Refusal(`${path} cannot be read. Run the command without --resume first.`);
  }
  const isSame =
    report.format === 1 &&
    report.environment === environment &&
    report.baseHost === new URL(service.baseUrl).host &&
    report.authHost === new URL(service.authUrl).host &&
    report.partnerId === service.partnerId;
  if (isSame) return report;
  throw new Refusal(
    `${path} is the report of another service or partner. Run the command without --resume, or name another folder with --output.`,
  );
}

function describePlan(
  { environment, service, limits }: Parameters<typeof rehearse>[0],
  { report, requests }: Rehearsal,
  earlier: Report | undefined,
): string {
  const counts = operations.map((operation) => {
    const calls = requests.filter((sent) => sent.operation === operation).length;
    return `  ${operation.padEnd(20)} ${String(calls).padStart(4)} calls`;
  });
  const megabytes = requests
    .map(({ request: { body } }) => (typeof body === 'object' ? body.bytes : (body?.length ?? 0)))
    .reduce((sum, bytes) => sum + bytes, 0);
  const { leads, documents, assetReports } = report.facts;
  const kept = earlier?.rows.filter(({ verdict }) => verdict !== 'not-testable').length ?? 0;
  return [
    `This will be sent to the ${environment} environment of the funding service:`,
    '',
    `  Login                ${service.authUrl}`,
    `  Operations           ${service.baseUrl}`,
    `  Partner              ${service.partnerId}, ${service.partnerName}`,
    '',
    ...counts,
    `  ${'in total'.padEnd(20)} ${String(requests.length).padStart(4)} calls, ${Math.ceil(megabytes / 1024 / 1024)} MiB, one at a time, ${limits.delayMs} ms apart`,
    '',
    `It creates ${leads.length} leads, ${documents.length} documents, and ${assetReports.length} asset reports if the service does what its`,
    `specification says. A service that accepts more, or checks lists of choices, gets more: at most`,
    `${limits.maxLeads} leads and ${limits.maxCalls} calls. ${maxRefusedLogins} logins have an unknown user. None has a wrong password for your account.`,
    '',
    'All records are marked as tests:',
    '',
    ...testDataLines.map((line) => `  ${line}`),
    ...(earlier
      ? ['', `It continues an earlier run, and does not repeat its ${kept} finished rows.`]
      : []),
    '',
  ].join('\n');
}

async function confirm(baseUrl: string, io: ConformanceIo): Promise<void> {
  const { host } = new URL(baseUrl);
  const answer = await io.ask(`Type the host name ${host} to send this: `);
  if (answer === undefined) {
    throw new Refusal(
      'Nobody can confirm: the input is not a terminal. Use --yes in scripts. Nothing was sent.',
    );
  }
  if (answer.trim() !== host) throw new Refusal('Not confirmed. Nothing was sent.');
}

async function describeRequest(
  operation: string,
  { url, headers, body }: TransportRequest,
  mask: Mask,
): Promise<string> {
  const lines = Object.entries(headers).map(([name, value]) =>
    name === 'Authorization' ? `${name}: Bearer <access token>` : `${name}: ${mask.secrets(value)}`,
  );
  const isForm = headers['Content-Type']?.includes('form-urlencoded');
  const text =
    typeof body === 'object' ? `(${body.bytes} bytes of JSON with a document)` : (body ?? '');
  const content = isForm
    ? [...new URLSearchParams(text)].map(([name, value]) => `${name}=${value}`).join('&')
    : text;
  const shown = mask.secrets(content);
  return [
    `POST ${mask.secrets(url)}  (${operation})`,
    ...lines.map((line) => `  ${line}`),
    `  ${shown.length > 2_000 ? `${shown.slice(0, 2_000)}…` : shown}`,
    '',
  ].join('\n');
}
