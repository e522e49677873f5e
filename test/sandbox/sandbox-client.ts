// A client of the sandbox for tests, with a fixed clock, a valid token, and builders for valid requests.

import { createSandbox } from '../../sandbox/app.ts';
import type { SandboxOptions } from '../../sandbox/state.ts';
import report from '../fixtures/asset-report.json' with { type: 'json' };

export { report };

export const startTimeMs = Date.parse('2026-03-02T09:00:00Z');

export const credentials = {
  grant_type: 'password',
  client_id: 'sandbox-client',
  client_secret: 'sandbox-secret',
  username: 'partner@sandbox.example',
  password: 'sandbox-password',
} as const;

export interface Reply {
  readonly status: number;
  readonly text: string;
  /** The parsed body, or undefined if it is not JSON. */
  readonly body: any; // eslint-disable-line typescript/no-explicit-any
  readonly headers: Headers;
}

type HeaderChanges = Readonly<Record<string, string | undefined>>;

export type SandboxClient = Awaited<ReturnType<typeof createSandboxClient>>;

/** Creates a sandbox at a fixed time, and a valid token. Delays are recorded and take no time. */
export async function createSandboxClient(options: SandboxOptions = {}) {
  const delays: number[] = [];
  const { app, context } = createSandbox({
    now: () => startTimeMs,
    delay: async (ms) => void delays.push(ms),
    ...options,
  });

  async function send(path: string, init: RequestInit): Promise<Reply> {
    const response = await app.request(path, init);
    const text = await response.text();
    return { status: response.status, text, body: tryParse(text), headers: response.headers };
  }

  const requestToken = async (form: Readonly<Record<string, string>> = credentials) =>
    send('/services/oauth2/token', { method: 'POST', body: new URLSearchParams(form) });

  const token: string = (await requestToken()).body.access_token;

  /** Posts with every header that an operation needs. `undefined` removes a header. */
  async function post(path: string, body?: unknown, changes: HeaderChanges = {}): Promise<Reply> {
    const headers = new Headers();
    const all: HeaderChanges = {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      PartnerId: 'P-1001',
      PartnerName: 'Sandbox Partner',
      ...changes,
    };
    for (const [name, value] of Object.entries(all)) {
      if (value !== undefined) headers.set(name, value);
    }
    const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    return send(`/rest${path}`, { method: 'POST', headers, body: text ?? null });
  }

  return {
    app,
    context,
    delays,
    requestToken,
    post,
    createLead: async (lead: unknown = toLead(), changes?: HeaderChanges) =>
      post('/creditapp', lead, changes),
    getOffers: async (ApplicationID: string | undefined, changes?: HeaderChanges) =>
      post('/creditapp/getPreApprovalOffer', undefined, { ApplicationID, ...changes }),
    contactUser: async (ApplicationID: string | undefined, changes?: HeaderChanges) =>
      post('/creditapp/contactUser', undefined, { ApplicationID, ...changes }),
    submitReport: async (body: unknown, changes?: HeaderChanges) =>
      post('/aggregator/asset-report/', body, changes),
    upload: async (body: unknown, changes?: HeaderChanges) =>
      post('/UploadFileApiV1', body, changes),
    /** Creates a lead. Returns its ApplicationID. */
    submitApplication: async (changes: Readonly<Record<string, unknown>> = {}): Promise<string> =>
      (await post('/creditapp', toLead(changes))).body.ApplicationID,
    getControl: async (path: string) => send(`/_sandbox${path}`, { method: 'GET' }),
    postControl: async (path: string, body?: unknown) =>
      send(`/_sandbox${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      }),
  };
}

let leadCount = 0;

export const address = { Address: '1 Pier Road', City: 'Portland', State: 'ME', Zip: '04101' };

/** Creates a lead with the required fields and a unique ID. */
export function toLead(
  changes: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  leadCount += 1;
  return {
    ID: `partner-${leadCount}`,
    AnnualRevenue: 640_000,
    BusinessAddress: address,
    BusinessType: 'LLC',
    Company: 'Harbor Bakery',
    ContactEmail: 'ana@harbor.example',
    ContactFirstName: 'Ana',
    ContactLastName: 'Brandt',
    ContactPhone: '2075550100',
    CreditScore: '700-749',
    FoundedMonth: '3',
    FoundedYear: '2015',
    HomeAddress: address,
    Industry: 'Food & Beverage',
    LoanAmount: 85_000,
    LoanReason: 'Inventory',
    TimeInBusinessMonths: 132,
    CreatedAt: '2026-03-02T09:00:00Z',
    LeadSource: 'Sandbox Partner',
    BusinessAge: '11 years',
    ...changes,
  };
}

export function toFile(changes: Readonly<Record<string, unknown>> = {}) {
  return { name: 'statement', ext: 'pdf', file: 'SGVsbG8=', category: 'Other', ...changes };
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
