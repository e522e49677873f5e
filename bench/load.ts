// Requests of many applicants over several connections, to the BFF or to a proxy, as fast as the server answers.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { apiHeaders, apiPaths } from '../shared/api/paths.ts';
import type { Lead } from '../shared/funding-service/lead.ts';
import { createApplication } from '../test/support/applications.ts';
import { toUploadHeaders } from '../test/support/applicant.ts';
import { quantile } from './goals.ts';

export interface Response {
  readonly status: number;
  /** The session cookie, if the response sets one. */
  readonly cookie: string | undefined;
  readonly text: string;
}

export interface Client {
  send(request: {
    readonly method: 'GET' | 'POST';
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string | Uint8Array;
  }): Promise<Response>;
  close(): Promise<void>;
}

/** Uses the lowest interface of undici, so that the load needs less of its processor than the measured process. */
export function createClient(url: string, connections: number): Client {
  const pool = new Pool(url, {
    connections,
    pipelining: 1,
    headersTimeout: 120_000,
    bodyTimeout: 120_000,
  });
  return {
    send: ({ method, path, headers, body = null }) =>
      new Promise((resolve, reject) => {
        let status = 0;
        let cookie: string | undefined;
        let text = '';
        pool.dispatch(
          { method, path, headers, body },
          {
            onRequestStart: () => undefined,
            onResponseStart(_controller, statusCode, responseHeaders) {
              status = statusCode;
              cookie = [responseHeaders['set-cookie'] ?? []].flat()[0]?.split(';', 1)[0];
            },
            onResponseData(_controller, chunk) {
              text += chunk.toString('latin1');
            },
            onResponseEnd: () => resolve({ status, cookie, text }),
            onResponseError: (_controller, error) => reject(error),
          },
        );
      }),
    close: () => pool.close(),
  };
}

const application = JSON.stringify(createApplication({}, { campaignId: undefined }));

/** One applicant's requests to the BFF carry the applicant's address, as behind a reverse proxy. */
export interface Session {
  readonly headers: Readonly<Record<string, string>>;
}

let sessions = 0;

export async function startSession(client: Client): Promise<Session> {
  sessions += 1;
  const address = `10.${(sessions >> 16) & 255}.${(sessions >> 8) & 255}.${sessions & 255}`;
  const headers = {
    origin: 'http://localhost:8080',
    'content-type': 'application/json',
    'x-forwarded-for': address,
    [apiHeaders.request]: '1',
  };
  const { cookie, status } = await client.send({ method: 'POST', path: apiPaths.session, headers });
  if (cookie === undefined) throw new Error(`POST ${apiPaths.session} answered ${status}`);
  return { headers: { ...headers, cookie } };
}

/** Starts this many sessions over 16 connections. */
export async function startSessions(client: Client, count: number): Promise<Session[]> {
  const started: Session[] = [];
  let begun = 0;
  const work = async () => {
    while (begun < count) {
      begun += 1;
      started.push(await startSession(client));
    }
  };
  await Promise.all(Array.from({ length: 16 }, work));
  return started;
}

/** Submits the application of a session. */
export function submit(client: Client, { headers }: Session): Promise<Response> {
  return client.send({
    method: 'POST',
    path: apiPaths.application,
    headers: { ...headers, [apiHeaders.idempotencyKey]: randomUUID() },
    body: application,
  });
}

export function pollOffers(client: Client, { headers }: Session): Promise<Response> {
  return client.send({ method: 'GET', path: apiPaths.offers, headers });
}

export function upload(
  client: Client,
  { headers }: Session,
  name: string,
  bytes: Uint8Array,
): Promise<Response> {
  return client.send({
    method: 'POST',
    path: apiPaths.documents,
    headers: { ...headers, ...toUploadHeaders(name) },
    body: bytes,
  });
}

const lead = {
  AnnualRevenue: 640_000,
  BirthDay: '1984-07-02',
  BusinessAddress: {
    Address: '12 Wharf Street, Suite 4',
    City: 'Portland',
    State: 'ME',
    Zip: '04101',
  },
  BusinessType: 'LLC',
  Company: 'Harbor Bakery LLC',
  ContactEmail: 'dana@harborbakery.example',
  ContactFirstName: 'Dana',
  ContactLastName: 'Osei',
  ContactPhone: '2075550134',
  CreditScore: '680-719',
  FoundedMonth: 'March',
  FoundedYear: '2019',
  HomeAddress: { Address: '8 Hill Road', City: 'Bangor', State: 'ME', Zip: '04401' },
  Industry: 'Food & Beverage',
  Ip: '10.0.0.1',
  LoanAmount: 75_000,
  LoanReason: 'Equipment',
  OtherManagers: true,
  OwnershipPct: 60,
  SignatureIp: '10.0.0.1',
  SignatureTimestamp: '2026-11-20T12:00:00.000Z',
  SignatureName: 'Dana Osei',
  Ssn: '123456780',
  TaxId: '123456789',
  TimeInBusinessMonths: 92,
  CreatedAt: '2026-11-20T12:00:00.000Z',
  LeadSource: 'Sandbox Partner',
  InceptionDate: '2019-03-20',
  BusinessAge: '7 years',
  NumberOfEmployees: 9,
} satisfies Omit<Lead, 'ID'>;
const leadEnd = JSON.stringify(lead).slice(1);

const proxyHeaders = { 'content-type': 'application/json' } as const;

/** A proxy maps nothing, so its client sends the lead itself. */
export function submitLead(client: Client): Promise<Response> {
  return client.send({
    method: 'POST',
    path: '/rest/creditapp',
    headers: proxyHeaders,
    body: `{"ID":"${randomUUID()}",${leadEnd}`,
  });
}

export function pollOffersOfLead(client: Client, applicationId: string): Promise<Response> {
  return client.send({
    method: 'POST',
    path: '/rest/creditapp/getPreApprovalOffer',
    headers: { ...proxyHeaders, applicationid: applicationId },
  });
}

/** @param body JSON of Upload File, which the client of a proxy encodes itself. */
export function uploadToLead(client: Client, body: Uint8Array): Promise<Response> {
  return client.send({
    method: 'POST',
    path: '/rest/UploadFileApiV1',
    headers: proxyHeaders,
    body,
  });
}

/** Starts a session, and submits its application. */
export async function apply(client: Client): Promise<Response> {
  return submit(client, await startSession(client));
}

export interface LoadOptions {
  readonly connections: number;
  /** One request, or several, of the worker with this number. Returns undefined when there is nothing left to send. */
  readonly next: (worker: number) => Promise<Response> | undefined;
  readonly warmUpMs: number;
  readonly durationMs: number;
  /** Runs at the start and at the end of the measured time. */
  readonly snapshot: () => Promise<void>;
}

export interface LoadResult {
  /** Number of responses by HTTP status in the measured time. */
  readonly statuses: ReadonlyMap<number, number>;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Since the start, also outside of the measured time. */
  readonly answered: number;
}

export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const { connections, next, warmUpMs, durationMs, snapshot } = options;
  const statuses = new Map<number, number>();
  const times: number[] = [];
  let isMeasuring = false;
  const ended = new AbortController();
  let answered = 0;

  async function work(worker: number): Promise<void> {
    while (!ended.signal.aborted) {
      const began = performance.now();
      const sent = next(worker);
      if (!sent) return;
      const { status } = await sent;
      answered += 1;
      if (!isMeasuring) continue;
      times.push(performance.now() - began);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  }

  const all = Promise.all(Array.from({ length: connections }, (_, worker) => work(worker)));
  await Promise.race([sleep(warmUpMs), all]);
  await snapshot();
  isMeasuring = true;
  const startedAt = performance.now();
  // An infinite time ends when nothing is left to send.
  await (durationMs === Infinity ? all : Promise.race([sleep(durationMs), all]));
  await snapshot();
  const seconds = (performance.now() - startedAt) / 1000;
  isMeasuring = false;
  ended.abort();
  await all;
  times.sort((a, b) => a - b);
  return { statuses, seconds, p50Ms: quantile(times, 0.5), p99Ms: quantile(times, 0.99), answered };
}
