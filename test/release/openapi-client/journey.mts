// Walks the whole journey of an applicant over HTTP, with a client generated from /openapi.json and nothing else. The test copies
// this file beside the generated `client.ts`, compiles both and runs it as a process.
//   node journey.mts cookie|handle <document.pdf> <report.json>

import { readFile } from 'node:fs/promises';
import * as api from './client.ts';

const [transport, documentPath = '', reportPath = ''] = process.argv.slice(2);
const common = { xFundingRequest: '1', origin: api.servers.server1 } as const;

const configured = await api.getConfiguration({ ...common, locale: 'es' });
if (configured.status !== 200) throw toError(configured);
const configuration = configured.data;

const begun = await api.postSession({
  ...common,
  ...(transport === 'handle' ? { sessionRequest: { transport } } : {}),
});
if (begun.status !== 200) throw toError(begun);
carrySession(begun.headers, begun.data.handle);

const submitted = await api.postApplication({
  ...common,
  idempotencyKey: crypto.randomUUID(),
  application: createApplication(configuration),
});
if (submitted.status !== 201 && submitted.status !== 202) throw toError(submitted);
carrySession(submitted.headers);

const asked = await api.getApplication(common);
if (asked.status !== 200) throw toError(asked);

const document = new Blob([await readFile(documentPath)], { type: 'application/octet-stream' });
if (document.size > configuration.documents.maxBytes) throw new Error('The document is too large');
const uploaded = await api.postDocuments({
  ...common,
  contentLength: document.size,
  xDocumentName: encodeURIComponent(
    `Estado de cuenta – mayo.${getFirst(configuration.documents.extensions)}`,
  ),
  xDocumentCategory: getFirst(configuration.documents.categories).id,
  body: document,
});
if (uploaded.status !== 201 && uploaded.status !== 202) throw toError(uploaded);

const listed = await api.getDocuments(common);
if (listed.status !== 200) throw toError(listed);

const assetReport: api.AssetReport = JSON.parse(await readFile(reportPath, 'utf8'));
const reported = await api.postAssetReport({
  ...common,
  contentLength: new TextEncoder().encode(JSON.stringify(assetReport)).byteLength,
  assetReport,
});
if (reported.status !== 201 && reported.status !== 202) throw toError(reported);

const offered = await api.getOffers(common);
if (offered.status !== 200) throw toError(offered);

const contactConsent = configuration.consents.find(({ id }) => id === 'contact');
if (!contactConsent) throw new Error('This partner asks for no contact consent');
const contacted = await api.postContact({
  ...common,
  contactRequest: {
    consent: { id: 'contact', version: contactConsent.version, locale: configuration.locale },
  },
});
if (contacted.status !== 200 && contacted.status !== 202) throw toError(contacted);

const resumed = await api.getSession(common);
if (resumed.status !== 200) throw toError(resumed);
carrySession(resumed.headers);

const ended = await api.deleteSession(common);
if (ended.status !== 204) throw toError(ended);
const afterwards = await api.getSession(common);

process.stdout.write(
  JSON.stringify({
    application: asked.data.status,
    documents: listed.data.documents.map(({ name, category, status }) => [name, category, status]),
    assetReport: reported.data.status,
    decision: offered.data.decision,
    offers: offered.data.offers.length,
    contact: contacted.data.contact,
    session: {
      isProven: resumed.data.isProven,
      assetReport: resumed.data.assetReport?.status,
      contact: resumed.data.contact?.status,
    },
    afterwards: afterwards.status === 401 ? afterwards.data.code : afterwards.status,
  }),
);

/** Takes over the session from an answer, as `components.securitySchemes` describes. */
function carrySession(headers: Headers, token = headers.get('x-funding-session')): void {
  const pairs = headers.getSetCookie().map((line) => line.split(';', 1)[0] ?? '');
  if (pairs.length > 0) api.defaults.headers = { cookie: pairs.join('; ') };
  if (typeof token === 'string') api.defaults.headers = { authorization: `Funding ${token}` };
}

function createApplication(choices: api.Configuration): api.Application {
  const address: api.Address = {
    street: '1 Pier Road',
    city: 'Portland',
    state: 'ME',
    zip: '04101',
  };
  return {
    fundingNeed: { amount: 85_000, reason: getFirst(choices.fundingReasons).value },
    business: {
      name: `Harbor Bakery (${transport})`,
      type: getFirst(choices.businessTypes).value,
      industry: 'Food & Beverage',
      address,
      annualRevenue: 640_000,
      foundedMonth: 3,
      foundedYear: 2015,
      employees: 9,
      taxId: '123456789',
    },
    owner: {
      firstName: 'Ana',
      lastName: 'Brandt',
      email: 'ana@harbor.example',
      phone: '2075550100',
      homeAddress: address,
      birthDate: '1984-05-17',
      ssn: '123456789',
      creditScore: getFirst(choices.creditScores).value,
      ownershipPercent: 100,
      otherManagers: false,
    },
    consents: choices.consents.map(({ id, version }) => ({ id, version, locale: choices.locale })),
    signature: { name: 'Ana Brandt' },
  };
}

function getFirst<Value>(values: readonly Value[]): Value {
  const [first] = values;
  if (first === undefined) throw new Error('The configuration offers no choice');
  return first;
}

function toError({ status, data }: { readonly status: number; readonly data?: unknown }): Error {
  return new Error(`Status ${status}: ${JSON.stringify(data)}`);
}
