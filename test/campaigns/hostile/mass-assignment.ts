// Sends the names of all lead fields and other internal names in every part of a request that a browser controls.

import { readFileSync } from 'node:fs';
import { apiHeaders, apiPaths } from '../../../shared/api/paths.ts';
import { toUploadHeaders, type Browser } from '../../support/applicant.ts';
import { contactRequest, createApplication } from '../../support/applications.ts';
import { startBff, type TestBff } from '../../support/bff.ts';
import { createTextPdf } from '../../support/files/pdf.ts';
import { createBodyReader, findFault, readAt } from './input-rules.ts';

export interface MassAssignment {
  readonly requests: number;
  readonly problems: readonly string[];
}

const leadFields: readonly { readonly name: string }[] = JSON.parse(
  readFileSync(new URL('../../fixtures/lead-fields.json', import.meta.url), 'utf8'),
);

const otherNames = [
  'partnerId PartnerId partnerName PartnerName applicationId ApplicationID ReferenceID leadId',
  'DocumentId assetReportId id ip signatureIp files createdAt sessionId state OwnerId pURL',
  'PreApproval_Status __proto__ constructor prototype toString',
].flatMap((line) => line.split(' '));

export const names: readonly string[] = [...leadFields.map(({ name }) => name), ...otherNames];

/** Paths of all objects in an application. */
const objectPaths = [
  '',
  'fundingNeed',
  'business',
  'business.address',
  'owner',
  'owner.homeAddress',
  'consents.0',
  'signature',
] as const;

/** Adds each name to each object of an application. The BFF must refuse all of them. */
export async function tryExtraKeys(): Promise<MassAssignment> {
  const read = createBodyReader();
  const problems: string[] = [];
  let requests = 0;
  for (const path of objectPaths) {
    for (const name of names) {
      requests += 1;
      const { status, json } = await read(withKey(createApplication(), path, name));
      const fault = findFault(status, json);
      if (status !== 400 || fault) problems.push(`${path}.${name}: ${status}`);
    }
  }
  return { requests, problems };
}

/** Adds each name with values of another applicant to the URL and the headers of every request. It must have no effect. */
export async function tryUrlsAndHeaders(step = 1): Promise<MassAssignment> {
  const bff = await startBff({ settings: { documents: { maxFiles: 200 } } });
  const trial = createTrial(bff);
  const victim = await trial.apply('', {});
  const expected = trial.readLead(victim.reference);
  trial.listNewCalls();

  for (const name of names.filter((_, index) => index % step === 0)) {
    for (const value of [victim.reference, victim.serviceId, '203.0.113.66']) {
      const query = `?${encodeURIComponent(name)}=${value}&${name}[]=${value}`;
      const applicant = await trial.apply(query, { [name]: value });
      const lead = trial.readLead(applicant.reference);
      if (lead !== expected.replaceAll(victim.reference, applicant.reference)) {
        trial.problems.push(`${name} changed the lead`);
      }
      await trial.sendAllRequests(applicant.browser, query, { [name]: value });
      for (const id of trial.listNewCalls()) {
        if (id !== applicant.serviceId) trial.problems.push(`${name} used the ID of another lead`);
      }
    }
  }
  await bff.close();
  return { requests: trial.requests(), problems: trial.problems };
}

interface Applicant {
  readonly browser: Browser;
  readonly reference: string;
  readonly serviceId: string;
}

type Extra = Readonly<Record<string, string>>;

const pdf = createTextPdf('statement');

function createTrial(bff: TestBff) {
  const { state } = bff.sandbox.context;
  const problems: string[] = [];
  let requests = 0;
  let seen = 0;

  async function send(browser: Browser, ...args: Parameters<Browser['send']>) {
    requests += 1;
    const answer = await browser.send(...args);
    const fault = findFault(answer.status, answer.json);
    if (fault) problems.push(`${args[1]}: ${fault}`);
    return answer;
  }

  function findLead(reference: string) {
    const lead = [...state.leads.values()].find(({ referenceId }) => referenceId === reference);
    if (!lead) throw new Error('The funding service did not receive the lead.');
    return lead;
  }

  return {
    problems,
    requests: () => requests,

    async apply(query: string, headers: Extra): Promise<Applicant> {
      const browser = bff.openBrowser();
      await send(browser, 'POST', apiPaths.session + query, undefined, headers);
      const { json } = await send(
        browser,
        'POST',
        apiPaths.application + query,
        JSON.stringify(createApplication()),
        { ...headers, [apiHeaders.idempotencyKey]: crypto.randomUUID() },
      );
      const reference: string = json.reference;
      return { browser, reference, serviceId: findLead(reference).applicationId };
    },

    async sendAllRequests(browser: Browser, query: string, headers: Extra): Promise<void> {
      const report = { asset_report_id: 'r', items: [{ accounts: [{ ...headers }] }], ...headers };
      const bodies = [
        ['GET', apiPaths.session, undefined],
        ['GET', apiPaths.application, undefined],
        ['GET', apiPaths.offers, undefined],
        ['POST', apiPaths.contact, contactRequest],
        ['POST', apiPaths.assetReport, JSON.stringify({ report, ...headers })],
      ] as const;
      for (const [method, path, body] of bodies) {
        const { status } = await send(browser, method, path + query, body, headers);
        const isRefused = status >= 400 && path !== apiPaths.assetReport;
        if (isRefused) problems.push(`${method} ${path}: ${status}`);
      }
      const { status } = await send(browser, 'POST', apiPaths.documents + query, pdf, {
        ...headers,
        ...toUploadHeaders('a.pdf', pdf.byteLength),
      });
      if (status >= 400) problems.push(`a document upload: ${status}`);
    },

    /** The lead as the funding service received it. */
    readLead: (reference: string) => findLead(reference).receivedText,

    /** Lead IDs of the calls since the previous `listNewCalls`. The sandbox keeps 1,000 calls. */
    listNewCalls(): readonly (string | undefined)[] {
      const count = state.callCount - seen;
      seen = state.callCount;
      return state.calls
        .slice(-count)
        .filter(({ operation }) => operation !== 'token')
        .map(({ applicationId }) => applicationId);
    },
  };
}

/** Edits the JSON as text, because an object literal cannot contain an own key `__proto__`. */
function withKey(application: object, path: string, name: string): string {
  const target = path === '' ? application : readAt(application, path);
  const before = JSON.stringify(target);
  const extended = `{${JSON.stringify(name)}:"${name}",${before.slice(1)}`;
  return JSON.stringify(application).replace(before, extended);
}
