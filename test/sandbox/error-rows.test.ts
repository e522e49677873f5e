import { describe, expect, it } from 'vitest';
import { errorRows } from '../../sandbox/errors.ts';
import { chosenRows, shownRows, unknownId } from './error-row-cases.ts';
import { openSandbox, toFile, toLead } from './sandbox-client.ts';

/** The fields of each operation's answer besides its flag and its message (spec, "Endpoints"). */
const otherFields: Readonly<Record<string, readonly string[]>> = {
  'create-lead': ['ApplicationID', 'ReferenceID', 'pURL'],
  'pre-approval-offer': ['ReferenceID', 'pURL', 'PreApproval_Data'],
  'contact-user': [],
  'asset-report': ['assetReportId'],
  'upload-file': ['DocumentId', 'ReferenceID'],
};

const messageFields: Readonly<Record<string, readonly [string, string]>> = {
  'asset-report': ['success', 'message'],
  'upload-file': ['IsSuccessful', 'ResponseMessage'],
};

const cases = [...shownRows, ...chosenRows];

describe('the error table', () => {
  describe.each(['body', 'http'] as const)('in %s style', (failureStatus) => {
    it.each(cases)('answers $row to a real request', async ({ row, text, httpStatus, ask }) => {
      const client = await openSandbox({ failureStatus });

      const reply = await ask(client);

      const operation = row.split('/')[0] ?? '';
      const [flag, message] = messageFields[operation] ?? ['IsSuccessful', 'ResponseText'];
      expect(reply.status).toBe(failureStatus === 'http' ? httpStatus : 200);
      expect(reply.body[flag]).toBe(false);
      expect(reply.body[message]).toBe(text);
      const fields = [flag, message, ...(otherFields[operation] ?? [])];
      expect(Object.keys(reply.body).toSorted()).toEqual(fields.toSorted());
      expect(client.context.state.calls.at(-1)?.outcome).toBe(row);
    });
  });

  it('has no row that is not proved here, the token operation aside', () => {
    const proved = cases.map(({ row }) => row).toSorted();
    const all = Object.keys(errorRows).filter((row) => !row.startsWith('token/'));
    expect(all.toSorted()).toEqual(proved);
  });

  it('tells which wordings the spec shows', () => {
    const shown = Object.entries(errorRows).filter(([, row]) => row.isShown);
    expect(shown.map(([id]) => id).toSorted()).toEqual(shownRows.map(({ row }) => row).toSorted());
  });

  it('echoes the partner’s ID and the leadId where the answer has a ReferenceID', async () => {
    const client = await openSandbox();
    const lead = await client.createLead(toLead({ ID: 'mine-1', Industry: 'Baking' }));
    const file = await client.upload({ leadId: unknownId, file: toFile() });
    expect(lead.body.ReferenceID).toBe('mine-1');
    expect(file.body.ReferenceID).toBe(unknownId);
  });

  it('serves an error of the token operation with 400 in either style', async () => {
    const client = await openSandbox({ failureStatus: 'body' });
    expect((await client.requestToken({})).status).toBe(400);
  });
});
