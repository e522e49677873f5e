// An applicant with a browser's cookies, who writes down everything they do and are told.

import { randomUUID } from 'node:crypto';
import { apiHeaders, apiPaths } from '../../shared/api/paths.ts';
import { createFullApplication } from '../support/applications.ts';
import { createTextPdf } from '../support/text-pdf.ts';
import {
  hashContent,
  toCallOutcome,
  type Action,
  type CallOutcome,
  type ClientCall,
  type History,
} from './history.ts';

export const pageOrigin = 'http://localhost:8080';

export interface BrowserRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
}

export interface BrowserAnswer {
  readonly status: number;
  readonly cookies: readonly string[];
  readonly text: string;
}

/** Over the network or in memory; throws when there is no answer. */
export type Send = (request: BrowserRequest) => Promise<BrowserAnswer>;

export interface Applicant {
  readonly name: string;
  /** Begins a session; whether there is one. */
  begin(): Promise<boolean>;
  /** Files the application; `changes` go over the business's answers. */
  submit(key: string, changes?: object): Promise<ClientCall>;
  /** Each number is another file, another report. */
  upload(number: number, file?: Uint8Array<ArrayBuffer>): Promise<ClientCall>;
  report(number: number): Promise<ClientCall>;
  contact(): Promise<ClientCall>;
  poll(): Promise<ClientCall>;
  /** The answer's status; nothing of it is written down. */
  offers(): Promise<number | undefined>;
}

export interface ApplicantOptions {
  /** Of the business; no two applicants share one. */
  readonly name: string;
  readonly send: Send;
  readonly history: History;
}

export function createApplicant({ name, send, history }: ApplicantOptions): Applicant {
  const cookies = new Map<string, string>();

  async function request(
    method: 'GET' | 'POST',
    path: string,
    body?: string | Uint8Array<ArrayBuffer>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<BrowserAnswer | undefined> {
    const cookie = [...cookies].map(([key, value]) => `${key}=${value}`).join('; ');
    const all = {
      origin: pageOrigin,
      'sec-fetch-site': 'same-site',
      [apiHeaders.request]: '1',
      ...(body === undefined ? {} : describeBody(body)),
      ...(cookie ? { cookie } : {}),
      ...headers,
    };
    try {
      const answer = await send({ method, path, headers: all, body });
      keepCookies(answer.cookies, cookies);
      return answer;
    } catch {
      // Whatever broke: the applicant only knows that there is no answer.
      return undefined;
    }
  }

  async function act(
    action: Action,
    subject: Pick<ClientCall, 'key' | 'content'>,
    ask: () => Promise<BrowserAnswer | undefined>,
  ): Promise<ClientCall> {
    const invokedAt = performance.now();
    const answer = await ask();
    const call = {
      applicant: name,
      action,
      ...subject,
      invokedAt,
      endedAt: performance.now(),
      ...readAnswer(answer),
    };
    history.calls.push(call);
    return call;
  }

  return {
    name,

    async begin() {
      const answer = await request('POST', apiPaths.session);
      return answer !== undefined && toCallOutcome(answer.status) === 'ok';
    },

    submit(key, changes = {}) {
      const body = JSON.stringify(createApplication({ name, ...changes }));
      return act('submit', { key, content: hashContent(body) }, () =>
        request('POST', apiPaths.application, body, { [apiHeaders.idempotencyKey]: key }),
      );
    },

    upload(number, file = createTextPdf(`Statement ${number} of ${name}`, 2_000)) {
      return act('upload', { content: hashContent(file) }, () =>
        request('POST', apiPaths.documents, file, {
          'content-type': 'application/octet-stream',
          [apiHeaders.documentName]: `statement-${number}.pdf`,
          [apiHeaders.documentCategory]: 'bank-statements-jan',
        }),
      );
    },

    report(number) {
      const report = JSON.stringify(createReport(`${name} ${number}`));
      return act('report', { content: hashContent(report) }, () =>
        request('POST', apiPaths.assetReport, report),
      );
    },

    contact() {
      const body = JSON.stringify({ consent: { id: 'contact', version: consentVersion } });
      return act('contact', {}, () => request('POST', apiPaths.contact, body));
    },

    poll: () => act('poll', {}, () => request('GET', apiPaths.application)),

    offers: async () => (await request('GET', apiPaths.offers))?.status,
  };
}

/** Every business has another name, so every key is one applicant's own. */
export function createKey(): string {
  return randomUUID();
}

const consentVersion = 'placeholder-1';

/** With the consents that a sandbox asks for by default. */
function createApplication(business: object): object {
  const application = createFullApplication();
  return {
    ...application,
    business: { ...application.business, ...business },
    campaignId: undefined,
    consents: ['credit-authorization', 'electronic-records', 'terms', 'contact'].map((id) => ({
      id,
      version: consentVersion,
    })),
  };
}

/** The least that is taken for a report. */
function createReport(id: string): object {
  return { report: { asset_report_id: id, items: [{ accounts: [{ account_id: id }] }] } };
}

function readAnswer(
  answer: BrowserAnswer | undefined,
): Pick<ClientCall, 'outcome' | 'status' | 'reference' | 'told'> {
  if (answer === undefined) return { outcome: 'info' };
  const body = toObject(answer.text);
  const reference = typeof body['reference'] === 'string' ? body['reference'] : undefined;
  // Problems have a code; their `status` is a number.
  const told = body['code'] ?? body['status'] ?? body['contact'];
  const outcome: CallOutcome = toCallOutcome(answer.status);
  return {
    outcome,
    status: answer.status,
    reference,
    told: told === undefined ? undefined : String(told),
  };
}

function toObject(text: string): Readonly<Record<string, unknown>> {
  const json: unknown = text === '' ? {} : JSON.parse(text);
  return typeof json === 'object' && json !== null ? { ...json } : {};
}

function keepCookies(lines: readonly string[], cookies: Map<string, string>): void {
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (/max-age=0/i.test(line)) cookies.delete(name);
    else cookies.set(name, value);
  }
}

/** As browsers do of their own accord. */
function describeBody(body: string | Uint8Array): Readonly<Record<string, string>> {
  return { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
}
