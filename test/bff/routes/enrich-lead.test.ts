// The partner's `enrichLead` hook: its fields are delivered, and its failures do not block an application.

import { describe, expect, it } from 'vitest';
import type { TestBffOptions } from '../../support/bff.ts';
import { until } from '../../support/manual-time.ts';
import { listEvents, openApplied, openBff } from '../open-bff.ts';

type Hook = NonNullable<TestBffOptions['enrichLead']>;

const fail = () => {
  throw new Error('canary');
};
/** The hook of a partner may return anything. */
const answering = (fields: unknown) => () => fields as never;

describe('the enrichLead hook', () => {
  it.each<[string, Hook, object]>([
    [
      'adds fields to the lead',
      ({ business }) => ({ IndustryNaics: `N ${business.type}` }),
      { IndustryNaics: 'N LLC' },
    ],
    [
      'cannot change the fields of the applicant',
      (application) => {
        Object.assign(application.business, { name: 'Another' });
        return { Company: 'Another', OutcomeID: 'o1' };
      },
      { Company: 'Harbor Bakery LLC', OutcomeID: 'o1' },
    ],
    ['may return nothing', answering(undefined), {}],
  ])('%s', async (_what, enrichLead, fields) => {
    const { lead, failures } = await apply(enrichLead);
    expect(lead).toMatchObject(fields);
    expect(failures).toEqual([]);
  });

  it.each<[string, Hook]>([
    ['throws', fail],
    ['rejects', async () => fail()],
    [
      'throws an error that is its own cause',
      () => {
        const error = new Error('canary');
        throw Object.assign(error, { cause: error });
      },
    ],
  ])('does not block the application if it %s', async (_how, enrichLead) => {
    const { lead, failures } = await apply(enrichLead);
    expect(lead.Company).toBe('Harbor Bakery LLC');
    expect(failures).toMatchObject([{ level: 50, reason: 'threw', reference: lead.ID }]);
    expect(JSON.stringify(failures)).not.toContain('canary');
  });

  it('is aborted after three seconds', async () => {
    const given: AbortSignal[] = [];
    const bff = await openBff({
      enrichLead: (_application, signal) => {
        given.push(signal);
        return new Promise(() => undefined);
      },
    });
    const filed = bff.browser.apply();
    await until(() => given.length === 1);
    bff.time.advance(3_000);
    expect((await filed).status).toBe(201);
    expect(given[0]?.aborted).toBe(true);
    expect(listEvents(bff, 'enrichment-failed')).toMatchObject([{ reason: 'unanswered' }]);
  });

  it('adds its valid fields, and the log names the others', async () => {
    const { lead, failures } = await apply(
      answering({ OutcomeID: 'o1', NumberOfOffers: 7, Files: ['a', 1], CampaignID: null }),
    );
    expect(lead.OutcomeID).toBe('o1');
    expect(lead).not.toHaveProperty('NumberOfOffers');
    const fields = ['NumberOfOffers', 'Files'];
    expect(failures).toMatchObject([{ reason: 'unusable', fields }]);
  });

  it('has each field read once', async () => {
    const values: unknown[] = ['o1', 'o2', 3];
    const { lead, failures } = await apply(
      answering({
        get OutcomeID() {
          return values.shift();
        },
      }),
    );
    expect([lead.OutcomeID, failures]).toEqual(['o1', []]);
  });

  async function apply(enrichLead: Hook) {
    const bff = await openApplied({ enrichLead });
    const [stored] = bff.sandbox.context.state.leads.values();
    return { lead: stored!.lead, failures: listEvents(bff, 'enrichment-failed') };
  }
});
