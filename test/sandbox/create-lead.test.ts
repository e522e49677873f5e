import { describe, expect, it } from 'vitest';
import leadFields from '../fixtures/lead-fields.json' with { type: 'json' };
import { address, createSandboxClient, startTimeMs, toLead } from './sandbox-client.ts';

const addressParts = ['Address', 'City', 'State', 'Zip'] as const;

/** The required fields, each address with its parts, in the order of the spec's table. */
const requiredInOrder = leadFields
  .filter(({ required }) => required)
  .flatMap(({ name, type }) =>
    type === 'object (Address)' ? [name, ...addressParts.map((part) => `${name}.${part}`)] : [name],
  );

/** A value for each type of the spec's table. */
const sampleValues: Readonly<Record<string, unknown>> = {
  string: 'any text',
  integer: 60,
  boolean: false,
  'array of string': ['https://files.example/1'],
};

/** A lead with every field of the spec's table. */
function toFullLead(): Readonly<Record<string, unknown>> {
  const samples = leadFields.map(({ name, type }) => [name, sampleValues[type]]);
  return {
    ...Object.fromEntries(samples),
    ...toLead(),
    BirthDay: '1984-02-29',
    InceptionDate: '2015-03-01',
    SignatureTimestamp: '2026-03-02T08:59:00.123+01:00',
  };
}

function without(path: string, value: unknown): Readonly<Record<string, unknown>> {
  const [name = '', inner] = path.split('.');
  return toLead({ [name]: inner ? { ...address, [inner]: value } : value });
}

describe('Create Lead', () => {
  it('returns all five response fields for a lead with the required fields', async () => {
    const client = await createSandboxClient();
    const lead = toLead({ ID: 'mine-1' });

    const { status, body } = await client.createLead(lead);

    expect(status).toBe(200);
    expect(Object.keys(body).toSorted()).toEqual(
      ['ApplicationID', 'IsSuccessful', 'ReferenceID', 'ResponseText', 'pURL'].toSorted(),
    );
    expect(body.IsSuccessful).toBe(true);
    expect(body.ApplicationID).toMatch(/^00Q[A-Za-z0-9]{15}$/);
    expect(body.ReferenceID).toBe('mine-1');
    expect(body.pURL).toBe(`http://localhost/apply/${body.ApplicationID}`);
  });

  it('stores every field of the spec unchanged', async () => {
    const client = await createSandboxClient();
    const lead = toFullLead();

    const applicationId = (await client.createLead(lead)).body.ApplicationID;

    const { body } = await client.getControl(`/leads/${applicationId}`);
    expect(body.lead).toEqual(lead);
    expect(body.receivedText).toBe(JSON.stringify(lead));
    expect(body.createdAt).toBe(new Date(startTimeMs).toISOString());
  });

  it.each(requiredInOrder)('names %s if it is absent, empty, blank, or null', async (path) => {
    const client = await createSandboxClient();
    for (const value of [undefined, '', '  ', null]) {
      const { body } = await client.createLead(without(path, value));
      expect(body.ResponseText).toBe(`Missing required field: ${path}`);
    }
  });

  it('names missing fields in the order of the spec’s table', async () => {
    const client = await createSandboxClient();
    const given: Record<string, unknown> = {};
    const named: string[] = [];
    while (named.length < requiredInOrder.length) {
      const text: string = (await client.createLead(given)).body.ResponseText;
      const path = text.replace('Missing required field: ', '');
      named.push(path);
      const [name = '', inner] = path.split('.');
      const whole: Readonly<Record<string, unknown>> = toLead();
      if (!inner) given[name] = name.endsWith('Address') ? {} : whole[name];
      else given[name] = { ...(given[name] as object), [inner]: address[inner as 'City'] };
    }
    expect(named).toEqual(requiredInOrder);
    expect((await client.createLead(given)).body.IsSuccessful).toBe(true);
  });

  it.each([
    ['AnnualRevenue', 640_000.5],
    ['AnnualRevenue', '640000'],
    ['LoanAmount', true],
    ['TimeInBusinessMonths', '12'],
    ['OwnershipPct', 33.3],
    ['NumberOfEmployees', '8'],
    ['OtherManagers', 'yes'],
    ['ID', 17],
    ['FoundedYear', 2015],
    ['Industry', 'retail'],
    ['BirthDay', '02/29/1984'],
    ['BirthDay', '2023-02-29'],
    ['InceptionDate', '2015-13-01'],
    ['CreatedAt', 'yesterday'],
    ['SignatureTimestamp', '2026-03-02'],
    ['ContactEmail', 'ana'],
    ['Files', 'https://files.example/1'],
    ['HomeAddress', 'Portland'],
  ])('rejects %s with the value %j', async (name, value) => {
    const client = await createSandboxClient();
    const { body } = await client.createLead(toLead({ [name]: value }));
    expect(body.IsSuccessful).toBe(false);
    expect(body.ResponseText).toBe(`Invalid value for field: ${name}`);
  });

  it('names an invalid address field with its parent', async () => {
    const client = await createSandboxClient();
    const { body } = await client.createLead(
      toLead({ HomeAddress: { ...address, State: 'Maine' } }),
    );
    expect(body.ResponseText).toBe('Invalid value for field: HomeAddress.State');
  });

  it('ignores unknown fields, recording their names', async () => {
    const client = await createSandboxClient();
    const lead = toLead({ Nickname: 'x', HomeAddress: { ...address, Country: 'US' } });

    const { body } = await client.createLead(lead);

    expect(body.IsSuccessful).toBe(true);
    const seen = (await client.getControl(`/leads/${body.ApplicationID}`)).body;
    expect(seen.ignoredFields.toSorted()).toEqual(['HomeAddress.Country', 'Nickname']);
    expect(seen.lead.Nickname).toBeUndefined();
  });

  it('treats null in an optional field as absent', async () => {
    const client = await createSandboxClient();
    expect((await client.createLead(toLead({ TaxId: null }))).body.IsSuccessful).toBe(true);
  });

  it('rejects a duplicate ID without the ApplicationID of the first lead', async () => {
    const client = await createSandboxClient();
    const lead = toLead();
    const first = (await client.createLead(lead)).body.ApplicationID;

    const second = await client.createLead(lead);

    expect(second.body.ApplicationID).toBeNull();
    expect(second.text).not.toContain(first);
    expect((await client.getControl('/leads')).body.leads).toHaveLength(1);
  });

  it('accepts an ID again after an error', async () => {
    const client = await createSandboxClient();
    const lead = toLead();
    await client.createLead({ ...lead, LoanAmount: 'much' });
    expect((await client.createLead(lead)).body.IsSuccessful).toBe(true);
  });

  it('creates one lead from two concurrent requests with the same ID', async () => {
    const client = await createSandboxClient();
    const lead = toLead();
    const replies = await Promise.all([client.createLead(lead), client.createLead(lead)]);
    expect(replies.filter(({ body }) => body.IsSuccessful)).toHaveLength(1);
  });

  it('serves a tracking page without personal data at the pURL', async () => {
    const client = await createSandboxClient();
    const { pURL, ApplicationID } = (await client.createLead()).body;

    const response = await client.app.request(pURL);

    const page = await response.text();
    expect(response.status).toBe(200);
    expect(page).toContain(ApplicationID);
    expect(page).not.toContain('Brandt');
    expect((await client.app.request('/apply/00Qnone')).status).toBe(404);
  });
});
