// A streamed body leaves the connection time to be read, which a body that is written in one go would not.

import { expect, it } from 'vitest';
import {
  createUndiciTransport,
  type StreamedBody,
} from '../../../bff/funding-service/transport.ts';
import { listenRecording } from '../../support/servers.ts';

it('gives a refusal the chance to be read between two pieces of a streamed body', async () => {
  const { url, close } = await listenRecording();
  const send = createUndiciTransport();
  const turns: boolean[] = [];
  const body: StreamedBody = {
    bytes: 5,
    open: async function* watching() {
      for (let piece = 0; piece < 5; piece += 1) {
        let hasTurned = false;
        setImmediate(() => (hasTurned = true));
        yield new Uint8Array(1);
        turns.push(hasTurned);
      }
    },
  };
  await send({ url, headers: {}, body });
  await Promise.all([send.close(), close()]);
  expect(turns).toEqual([true, true, true, true, true]);
});
