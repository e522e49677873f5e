// The sandbox does what the specification says. The table of probes proves it, and the table covers the specification.

import { beforeAll, describe, expect, it } from 'vitest';
import { probes } from '../../conformance/probes.ts';
import { errorRows as sandboxRows } from '../../sandbox/errors.ts';
import { failureStatuses } from '../../sandbox/state.ts';
import unshown from '../fixtures/unshown.json' with { type: 'json' };
import { errorRows, responseFields } from '../support/error-rows.ts';
import { type Rig, runRig } from './conformance-rig.ts';

/** No request can show these, of any service. */
const untestable = [
  'asset-report/processing-failed',
  'limits/rate',
  'token/lifetime',
  'leads/do-not-contact',
  'leads/states',
  'events/callbacks',
  'asset-report/size-limit',
];

describe.each(failureStatuses)('the sandbox with the failure status %s', (failureStatus) => {
  let rig: Rig;

  beforeAll(async () => {
    rig = await runRig({ sandbox: { failureStatus } });
  });

  it('differs from the specification in no row', () => {
    const { code, report, sandbox } = rig;
    const list = (verdict: string) =>
      report.rows.filter((row) => row.verdict === verdict).map(({ id }) => id);
    expect(list('differs')).toEqual([]);
    expect(list('not-testable')).toEqual(untestable);
    expect(report.rows.map(({ id }) => id)).toEqual(probes.map(({ id }) => id));
    expect(report).toMatchObject({ state: 'complete', follows: { settings: {}, problems: [] } });
    expect(report.rows.filter(({ bff }) => bff === 'handled-with-settings')).toEqual([]);
    expect(report.facts.leads.map(({ applicationId }) => applicationId)).toEqual([
      ...sandbox.context.state.leads.keys(),
    ]);
    expect(code).toBe(0);
  });

  // A fault or a magic word causes the other one.
  const probed = errorRows.filter(({ row }) => row !== 'asset-report/processing-failed');
  it.each(probed)('answers $row to a probe', ({ row, operation, status, text }) => {
    const { calls } = rig.sandbox.context.state;
    const failed = calls.filter(({ outcome }) => outcome === row);
    expect(failed).not.toEqual([]);
    const fields = responseFields[operation];
    const [flag = '', message = ''] = fields;
    const escaped = text.replaceAll(/[.()[\]]/g, String.raw`\$&`);
    const pattern = new RegExp(`^${escaped.replace(/<\w+>/, String.raw`[\w.]+`)}$`);
    for (const call of failed) {
      const body = JSON.parse(call.answer!);
      expect(call.status).toBe(failureStatus === 'http' ? status : 200);
      expect(Object.keys(body).toSorted()).toEqual(fields.toSorted());
      expect(body[flag]).toBe(false);
      expect(body[message]).toMatch(pattern);
    }
  });
});

describe('the table of probes', () => {
  it('has an id for each row', () => {
    const ids = probes.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has a probe for each error row of the sandbox', () => {
    const ids = new Set(probes.map(({ id }) => id));
    // These rows have one probe for each field.
    const perField: Readonly<Record<string, string>> = {
      'create-lead/missing-required-field': 'create-lead/missing-Company',
      'create-lead/invalid-field-value': 'create-lead/invalid-AnnualRevenue',
      'upload-file/missing-required-field': 'upload-file/missing-file.ext',
    };
    const missing = Object.keys(sandboxRows).filter((row) => !ids.has(perField[row] ?? row));
    expect(missing).toEqual([]);
  });

  // Each statement of the specification that something is not shown, and the rows about it.
  it.each(Object.entries(unshown))('has rows about: %s', (_statement, ids) => {
    expect(probes.map(({ id }) => id)).toEqual(expect.arrayContaining([...ids]));
  });
});
