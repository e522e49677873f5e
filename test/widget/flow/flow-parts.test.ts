// What the parts of an application tell the host page.

import { expect, it } from 'vitest';
import type { FlowEvent } from '../../../widget/flow/flow-event.ts';
import { createFlowParts, nothingGiven } from '../../../widget/flow/flow-parts.ts';
import { createConfiguration } from '../../support/configuration.ts';
import { FakeFundingApi } from '../../support/fake-funding-api.ts';
import { createManualPolling } from '../../support/manual-polling.ts';

it('a document is told of without its name', async () => {
  const events: FlowEvent[] = [];
  const polling = createManualPolling();
  const { documents } = createFlowParts(createConfiguration(), nothingGiven, {
    api: new FakeFundingApi(),
    polling: polling.environment,
    now: () => new Date('2026-11-20T15:00:00.000Z'),
    onChange: () => undefined,
    onGiven: () => undefined,
    onEnded: () => undefined,
    onDocumentNews: () => undefined,
    onEvent: (event) => events.push(event),
  });
  documents.add([new File(['a'], 'Rosa Nunez.pdf')]);
  documents.choose(1, 'drivers-license');
  documents.send();
  await polling.settle();
  expect(events).toEqual([
    { kind: 'document', number: 1, category: 'drivers-license', status: 'delivered' },
  ]);
});
