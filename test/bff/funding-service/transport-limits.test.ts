// Properties of a call that the answer does not show: the protocol of its connection, and its longest duration.

import { createSecureServer } from 'node:http2';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { createUndiciTransport, defaultTimeouts } from '../../../bff/funding-service/transport.ts';
import { createSelfSigned } from '../../support/self-signed.ts';
import { listen } from '../../support/servers.ts';
import { createDeliveryRig } from '../delivery/delivery-rig.ts';

const headers = { 'Content-Type': 'application/json' };
const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

describe('a TLS connection', () => {
  it.each([false, true])('speaks HTTP/1.1 to a server that offers HTTP/2', async (fresh) => {
    const { certificate, key } = createSelfSigned(Date.now() + 86_400_000);
    const trusted = getCACertificates();
    setDefaultCACertificates([...trusted, certificate]);
    closers.push(async () => setDefaultCACertificates(trusted));
    const versions: string[] = [];
    const server = createSecureServer(
      { cert: certificate, key, allowHTTP1: true },
      (request, response) => {
        versions.push(request.httpVersion);
        response.end('{}');
      },
    );
    const { url, close } = await listen(server);
    const transport = createUndiciTransport();
    closers.push(transport.close, close);
    const secureUrl = url.replace('http://127.0.0.1', 'https://localhost');
    const result = await transport({
      url: secureUrl,
      headers,
      body: '{}',
      freshConnection: fresh,
    });
    expect(result).toMatchObject({ kind: 'response', status: 200 });
    expect(versions).toEqual(['1.1']);
  });
});

describe('the time limit of a call', () => {
  it('ends before the lease of the row that it delivers', async () => {
    const { store, createLoop } = await createDeliveryRig();
    const leases: number[] = [];
    const claimDue: typeof store.claimDue = (kind, leaseMs, id) => {
      leases.push(leaseMs);
      return store.claimDue(kind, leaseMs, id);
    };
    await createLoop({ ...store, claimDue }).runDue();
    expect(leases).not.toEqual([]);
    // Half a minute is left to record the result.
    for (const leaseMs of leases) {
      expect(defaultTimeouts.totalMs).toBeLessThanOrEqual(leaseMs - 30_000);
    }
  });

  it('is not shorter than the wait for the first byte of the answer', () => {
    expect(defaultTimeouts.totalMs).toBeGreaterThanOrEqual(defaultTimeouts.headersMs);
  });
});
