// A stub of the funding service. It accepts every request after a delay, and counts what it accepts.
// Environment: STUB_PORT, STUB_DELAY_MS. Messages: `{ delayMs }`, `{ isDown }` (503 to every request), and `{}`; each is answered
// with the counts.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export interface StubMessage {
  readonly delayMs?: number;
  readonly isDown?: boolean;
}

export interface StubCounts {
  /** Accepted calls of Create Lead. */
  readonly leads: number;
  /** Leads with an `ID` that the stub had accepted before. */
  readonly repeatedLeads: number;
  readonly offers: number;
  readonly documents: number;
  readonly cpuMicroseconds: number;
}

let delayMs = Number(process.env['STUB_DELAY_MS'] ?? 0);
let isDown = false;
let repeatedLeads = 0;
let offers = 0;
let documents = 0;
/** The lead's `ID` by its ApplicationID, which offers repeat. */
const references = new Map<string, string>();
const leadIds = new Set<string>();
let leads = 0;

process.on('message', (message: StubMessage) => {
  ({ delayMs = delayMs, isDown = isDown } = message);
  const { user, system } = process.cpuUsage();
  const cpuMicroseconds = user + system;
  const counts: StubCounts = { leads, repeatedLeads, offers, documents, cpuMicroseconds };
  process.send?.(counts);
});

const server = createServer((request, response) => {
  const isUpload = request.url === '/rest/UploadFileApiV1';
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => {
    // The file itself is not kept. The leadId is at the start.
    if (!isUpload || chunks.length === 0) chunks.push(chunk);
  });
  request.on('end', () => {
    const finish = () => answer(request, response, chunks);
    if (delayMs > 0) setTimeout(finish, delayMs);
    else finish();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(Number(process.env['STUB_PORT']), '127.0.0.1');

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  chunks: readonly Buffer[],
): void {
  if (isDown) return send(response, 503, {});
  const text = chunks.length === 1 ? String(chunks[0]) : Buffer.concat(chunks).toString();
  switch (request.url) {
    case '/services/oauth2/token':
      return send(response, 200, createToken());
    case '/rest/creditapp':
      return send(response, 200, createLead((JSON.parse(text) as { readonly ID: string }).ID));
    case '/rest/creditapp/getPreApprovalOffer':
      offers += 1;
      return send(response, 200, createOffers(String(request.headers['applicationid'])));
    case '/rest/UploadFileApiV1':
      documents += 1;
      return send(response, 200, {
        IsSuccessful: true,
        ResponseMessage: 'Success',
        DocumentId: `069${String(documents).padStart(15, '0')}`,
        ReferenceID: /"leadId":"([^"]*)"/.exec(text)?.[1] ?? null,
      });
    default:
      return send(response, 404, {});
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

function createLead(id: string): object {
  leads += 1;
  if (leadIds.has(id)) repeatedLeads += 1;
  leadIds.add(id);
  // The format of an ApplicationID: 18 letters and digits.
  const applicationId = `a0B${String(leads).padStart(15, '0')}`;
  references.set(applicationId, id);
  return {
    IsSuccessful: true,
    ResponseText: 'Success',
    ApplicationID: applicationId,
    ReferenceID: id,
    pURL: null,
  };
}

function createOffers(applicationId: string): object {
  return {
    IsSuccessful: true,
    ResponseText: 'Application found',
    ReferenceID: references.get(applicationId) ?? null,
    pURL: null,
    PreApproval_Data: {
      PreApproval_Status: 'Qualified',
      PreApproval_Offers: ['1', '2', '3'].map((number) => ({
        OfferId: `offer-${number}`,
        Product: 'Term Loan',
        Loan_Amount: 50_000,
        Est_Term: 12,
        Payment_Frequency: 'Weekly',
        Est_Payment_Amount: 1_100.5,
        Monthly_Rate: 1.5,
        APR_Range_Low: 18.2,
        APR_Range_High: 24.9,
        Fee_Range_Low: 500,
        Fee_Range_High: 1_500,
        Funding_Disclosures: 'The terms of this offer are estimates and may change. '.repeat(4),
        Total_Cost_of_Loan: 57_226,
        Cents_on_the_Dollar: 14.45,
        Total_Interest_Cost: 7_226,
      })),
    },
  };
}

function createToken(): object {
  return {
    access_token: 'stub-token',
    instance_url: '',
    id: '',
    token_type: 'Bearer',
    issued_at: String(Date.now()),
    signature: '',
  };
}
