// An applicant's browser: keeps cookies, and records every request and response in the history.

import { randomUUID } from 'node:crypto';
import { apiHeaders, apiPaths } from '../../shared/api/paths.ts';
import { createFullApplication } from '../support/applications.ts';
import { createTextPdf } from '../support/files/pdf.ts';
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

/** Sends over the network or in memory. Throws when there is no response. */
export type Send = (request: BrowserRequest) => Promise<BrowserAnswer>;

export interface Applicant {
  readonly name: string;
  /** Starts a session. Returns false when the BFF refuses or does not respond. */
  begin(): Promise<boolean>;
  /** Submits the application; `changes` override fields of `business`. */
  submit(key: string, changes?: object): Promise<ClientCall>;
  /** Each number is a different file or bank report. */
  upload(number: number, file?: Uint8Array<ArrayBuffer>): Promise<ClientCall>;
  report(number: number): Promise<ClientCall>;
  contact(): Promise<ClientCall>;
  poll(): Promise<ClientCall>;
  /** Returns the status of the response. The history does not record this request. */
  offers(): Promise<number | undefined>;
}

export interface ApplicantOptions {
  /** Business name, unique per applicant. */
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
      // On every failure, the applicant only knows that there is no response.
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

/** A random key is enough: each business has its own name, so that no two applicants share a key. */
export function createKey(): string {
  return randomUUID();
}

const consentVersion = 'placeholder-1';

/** Contains the consents that the sandbox requires by default. */
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

/** The smallest bank report that the BFF accepts. */
function createReport(id: string): object {
  return { report: { asset_report_id: id, items: [{ accounts: [{ account_id: id }] }] } };
}

function readAnswer(
  answer: BrowserAnswer | undefined,
): Pick<ClientCall, 'outcome' | 'status' | 'reference' | 'responseStatus'> {
  if (answer === undefined) return { outcome: 'info' };
  const body = toObject(answer.text);
  const reference = typeof body['reference'] === 'string' ? body['reference'] : undefined;
  // Problem details have a `code`; their `status` is a number.
  const responseStatus = body['code'] ?? body['status'] ?? body['contact'];
  const outcome: CallOutcome = toCallOutcome(answer.status);
  return {
    outcome,
    status: answer.status,
    reference,
    responseStatus: responseStatus === undefined ? undefined : String(responseStatus),
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

/** Browsers set these headers on their own. */
function describeBody(body: string | Uint8Array): Readonly<Record<string, string>> {
  return { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
}
