// What a form does while it is off the page: nothing.

import { expect, it } from 'vitest';
import { createLoadedFlow, fill } from '../../support/create-flow.ts';
import { fail } from '../../support/fake-funding-api.ts';

it('a form off the page waits for no limit, and its file can be sent when it is back', async () => {
  const { api, polling, flow } = await createLoadedFlow();
  fill(flow);
  await flow.submit();
  const documents = flow.parts!.documents;
  api.handleUpload = async () => ({ ...fail('too-many-requests'), retryAfterMs: 2_400_000 });
  documents.add([new File(['a'], 'a.pdf')]);
  documents.choose(documents.queued[0]!.id, 'other');
  documents.send();
  await polling.settle();
  expect(polling.delays).toContain(2_400_000);
  flow.hostDisconnected();
  expect([polling.waiting, documents.queued[0]?.state]).toEqual([0, 'chosen']);
});
