// Sends the names of all lead fields and other internal names in every part of a request that a browser controls.

import { readFileSync } from 'node:fs';
import { apiHeaders, apiPaths } from '../../../shared/api/paths.ts';
import { toUploadHeaders, type Browser } from '../../support/applicant.ts';
import { contactRequest, createApplication } from '../../support/applications.ts';
import { startBff } from '../../support/bff.ts';
import { createTextPdf } from '../../support/files/pdf.ts';
import { type CampaignContext, type CampaignRow, sampleOf } from '../campaign.ts';
import table from './mass-assignment.json' with { type: 'json' };
import { createBodyReader, findFault, readAt } from './input-rules.ts';

const leadFields: readonly { readonly name: string }[] = JSON.parse(
  readFileSync(new URL('../../fixtures/lead-fields.json', import.meta.url), 'utf8'),
);
const names = [...leadFields.map(({ name }) => name), ...table.names];

/** Adds each name to each object of an application. The BFF must refuse all of them. */
export async function runExtraKeys(): Promise<CampaignRow> {
  const read = createBodyReader();
  const problems: string[] = [];
  for (const path of table.objectPaths) {
    for (const name of names) {
      const { status, json } = await read(withKey(createApplication(), path, name));
      if (status !== 400 || findFault(status, json)) problems.push(`${path}.${name}: ${status}`);
    }
  }
  return { runs: table.objectPaths.length * names.length, unit: 'requests', problems };
}

/** Edits the JSON as text, because an object literal cannot contain an own key `__proto__`. */
function withKey(application: object, path: string, name: string): string {
  const before = JSON.stringify(path === '' ? application : readAt(application, path));
  const extended = `{${JSON.stringify(name)}:"${name}",${before.slice(1)}`;
  return JSON.stringify(application).replace(before, extended);
}

type Extra = Readonly<Record<string, string>>;

/** Adds each name with values of another applicant to the URL and the headers of every request. It must have no effect. */
export async function runUrlsAndHeaders({ share }: CampaignContext): Promise<CampaignRow> {
  const bff = await startBff({ settings: { documents: { maxFiles: 200 } } });
  const { state } = bff.sandbox.context;
  const problems: string[] = [];
  let runs = 0;

  async function send(browser: Browser, ...args: Parameters<Browser['send']>) {
    runs += 1;
    const answer = await browser.send(...args);
    const fault = findFault(answer.status, answer.json);
    if (fault) problems.push(`${args[1]}: ${fault}`);
    return answer;
  }

  /** Returns the lead as the funding service received it. */
  async function apply(browser: Browser, query: string, extra: Extra) {
    await send(browser, 'POST', apiPaths.session + query, undefined, extra);
    const body = JSON.stringify(createApplication());
    const headers = { ...extra, [apiHeaders.idempotencyKey]: crypto.randomUUID() };
    const { json } = await send(browser, 'POST', apiPaths.application + query, body, headers);
    const lead = [...state.leads.values()].find((row) => row.referenceId === json.reference);
    if (!lead) throw new Error('The funding service did not receive the lead.');
    return lead;
  }

  async function sendAllRequests(browser: Browser, query: string, extra: Extra): Promise<void> {
    const pdf = createTextPdf('statement');
    const report = { asset_report_id: 'r', items: [{ accounts: [{ ...extra }] }], ...extra };
    const requests = [
      ['GET', apiPaths.session, undefined, {}],
      ['GET', apiPaths.application, undefined, {}],
      ['GET', apiPaths.offers, undefined, {}],
      ['POST', apiPaths.contact, contactRequest, {}],
      ['POST', apiPaths.assetReport, JSON.stringify({ report, ...extra }), {}],
      ['POST', apiPaths.documents, pdf, toUploadHeaders('a.pdf', pdf.byteLength)],
    ] as const;
    for (const [method, path, body, headers] of requests) {
      const all = { ...extra, ...headers };
      const { status } = await send(browser, method, path + query, body, all);
      // A report with some of the names is invalid.
      if (status >= 400 && path !== apiPaths.assetReport)
        problems.push(`${method} ${path}: ${status}`);
    }
  }

  const victim = await apply(bff.openBrowser(), '', {});
  for (const name of sampleOf(names, share)) {
    for (const value of [victim.referenceId, victim.applicationId, '203.0.113.66']) {
      const callsBefore = state.callCount;
      const query = `?${encodeURIComponent(name)}=${value}&${name}[]=${value}`;
      const browser = bff.openBrowser();
      const lead = await apply(browser, query, { [name]: value });
      const expected = victim.receivedText.replaceAll(victim.referenceId, lead.referenceId);
      if (lead.receivedText !== expected) problems.push(`${name} changed the lead`);
      await sendAllRequests(browser, query, { [name]: value });
      // The sandbox keeps 1,000 calls.
      const calls = state.calls.slice(callsBefore - state.callCount);
      if (
        calls.some(
          ({ operation, applicationId }) =>
            operation !== 'token' && applicationId !== lead.applicationId,
        )
      )
        problems.push(`${name} used the ID of another lead`);
    }
  }
  await bff.close();
  return { runs, unit: 'requests', problems };
}
