// What the parts of an application tell the host page, and what of them goes over to the next one.

import { expect, it } from 'vitest';
import type { FlowEvent } from '../../../widget/flow/flow-event.ts';
import { FlowParts } from '../../../widget/flow/flow-parts.ts';
import { nothingGiven } from '../../../widget/flow/given.ts';
import { createConfiguration } from '../../support/configuration.ts';
import { FakeFundingApi } from '../../support/fake-funding-api.ts';
import { createManualPolling } from '../../support/manual-polling.ts';

function createParts(onEvent: (event: FlowEvent) => void = () => undefined) {
  const polling = createManualPolling();
  const parts = new FlowParts(createConfiguration(), nothingGiven, {
    api: new FakeFundingApi(),
    polling: polling.environment,
    now: () => new Date('2026-11-20T15:00:00.000Z'),
    onChange: () => undefined,
    onGiven: () => undefined,
    onDocumentNews: () => undefined,
    onEvent,
  });
  return { parts, polling };
}

/** Gives the application a file. */
async function send(
  { parts: { documents }, polling }: ReturnType<typeof createParts>,
  name: string,
) {
  documents.add([new File(['a'], name)]);
  documents.choose(documents.queued[0]!.id, 'drivers-license');
  documents.send();
  await polling.settle();
}

it('a document is told of without its name', async () => {
  const events: FlowEvent[] = [];
  await send(
    createParts((event) => events.push(event)),
    'Rosa Nunez.pdf',
  );
  expect(events).toEqual([
    { kind: 'document', number: 1, category: 'drivers-license', status: 'delivered' },
  ]);
});

it('the parts of the next application begin with the files in hand, and with nothing that was sent', async () => {
  const created = createParts();
  await send(created, 'sent.pdf');
  created.parts.documents.add([new File(['a'], 'in-hand.pdf')]);
  expect(created.parts.hasGiven).toBe(true);
  const next = created.parts.renew();
  expect(next.hasGiven).toBe(false);
  expect(next.documents.queued.map(({ file }) => file.name)).toEqual(['in-hand.pdf']);
});
