// When the client calls an operation at all, with the token cache it has in earnest.

import { describe, expect, it } from 'vitest';
import { createFundingService } from '../../../bff/funding-service/client.ts';
import type { FundingServiceEvent } from '../../../bff/funding-service/funding-service.ts';
import { createTokenCache, type TokenResult } from '../../../bff/funding-service/token.ts';
import type { TransportResult } from '../../../bff/funding-service/transport.ts';
import { createResponse, createScriptedTransport } from '../../support/scripted-transport.ts';
import { createManualTime } from '../manual-time.ts';
import { partnerOperations } from '../../../shared/funding-service/operations.ts';
import { createClientConfig, calls, failureOf, successes } from './client-set-up.ts';

const refused: TransportResult = { kind: 'not-sent', failure: 'ECONNREFUSED' };
const granted: TokenResult = { kind: 'token', token: 'A' };
const ready = { kind: 'ready' };

describe('an operation that fails again and again', () => {
  it('is not sent any more, and ends at once without a line in the log', async () => {
    for (const operation of partnerOperations) {
      const { service, requests, events } = setUp({ answers: [refused] });
      for (let call = 0; call < 5; call += 1) await calls[operation](service);
      expect(events.at(-1)).toEqual({ event: 'breaker-opened', operation });
      const before = [...events];
      expect(await calls[operation](service)).toEqual({ kind: 'not-sent' });
      expect(requests).toHaveLength(5);
      expect(events).toEqual(before);
      for (const other of partnerOperations) {
        const expected =
          other === operation ? { kind: 'unavailable', retryAfterMs: 30_000 } : ready;
        expect(service.readiness(other)).toEqual(expected);
      }
    }
  });

  it('is called as usual once a probe was answered', async () => {
    const outage = Array.from({ length: 5 }, () => refused);
    const answers = [...outage, createResponse(200, successes['contact-user'])];
    const { service, time } = setUp({ answers });
    for (let call = 0; call < 5; call += 1) await calls['contact-user'](service);
    time.advance(30_000);
    expect(service.readiness('contact-user')).toEqual({ kind: 'half-open' });
    const probing = calls['contact-user'](service);
    expect(service.readiness('contact-user')).toEqual({
      kind: 'unavailable',
      retryAfterMs: undefined,
    });
    expect(await probing).toMatchObject({ kind: 'accepted' });
    expect(service.readiness('contact-user')).toEqual(ready);
  });

  it('is not one that is refused again and again', async () => {
    for (const operation of partnerOperations) {
      const refusal = createResponse(400, failureOf(operation, 'Application not found'));
      const { service, requests } = setUp({ answers: [refusal] });
      for (let call = 0; call < 9; call += 1) await calls[operation](service);
      expect(requests).toHaveLength(9);
    }
  });

  it('is also one for which no token can be fetched', async () => {
    const { service, requests } = setUp({ answers: [refused], logins: [{ kind: 'unreachable' }] });
    for (let call = 0; call < 5; call += 1) await calls['create-lead'](service);
    expect(service.readiness('create-lead')).toEqual({ kind: 'unavailable', retryAfterMs: 30_000 });
    expect(requests).toEqual([]);
  });

  it('is also one that takes no token', async () => {
    const { service } = setUp({ answers: [createResponse(401, '')] });
    for (let call = 0; call < 5; call += 1) {
      expect(await calls['create-lead'](service)).toEqual({ kind: 'authentication' });
    }
    expect(service.readiness('create-lead')).toEqual({ kind: 'unavailable', retryAfterMs: 30_000 });
    // Some refuse wrong partner headers in this way, so the token may be good for the others.
    expect(service.readiness('upload-file')).toEqual(ready);
  });
});

describe('a wish to wait', () => {
  it('pauses the operation that was told so', async () => {
    const { service, time } = setUp({
      answers: [createResponse(429, '', { 'retry-after': '120' })],
    });
    await calls['upload-file'](service);
    expect(service.readiness('upload-file')).toEqual({
      kind: 'unavailable',
      retryAfterMs: 120_000,
    });
    expect(service.readiness('create-lead')).toEqual(ready);
    time.advance(120_000);
    expect(service.readiness('upload-file')).toEqual(ready);
  });

  it('pauses every operation when the login is told so', async () => {
    const logins = [{ kind: 'throttled', retryAfterMs: 120_000 } as const];
    const { service, time } = setUp({ answers: [refused], logins });
    await calls['upload-file'](service);
    for (const operation of partnerOperations) {
      expect(service.readiness(operation)).toEqual({ kind: 'unavailable', retryAfterMs: 120_000 });
    }
    time.advance(120_000);
    for (const operation of partnerOperations) expect(service.readiness(operation)).toEqual(ready);
  });
});

describe('a refused login', () => {
  it('pauses every operation as long as no login is tried', async () => {
    const logins = [{ kind: 'refused' } as const, granted];
    const answers = [createResponse(200, successes['create-lead'])];
    const { service, requests, events, time } = setUp({ answers, logins });
    expect(await calls['create-lead'](service)).toEqual({ kind: 'authentication' });
    const before = [...events];
    for (const operation of partnerOperations) {
      expect(service.readiness(operation)).toEqual({ kind: 'unavailable', retryAfterMs: 60_000 });
      expect(await calls[operation](service)).toEqual({ kind: 'not-sent' });
    }
    expect(requests).toEqual([]);
    expect(events).toEqual(before);
    time.advance(60_000);
    expect(await calls['create-lead'](service)).toMatchObject({ kind: 'accepted' });
  });
});

interface SetUp {
  /** In order, the last one again and again. */
  readonly answers: readonly TransportResult[];
  /** In order, the last one again and again; default: all granted. */
  readonly logins?: readonly TokenResult[];
}

function setUp({ answers, logins = [granted] }: SetUp) {
  const time = createManualTime();
  const events: FundingServiceEvent[] = [];
  const onEvent = (event: FundingServiceEvent) => void events.push(event);
  const { transport, requests } = createScriptedTransport(...answers);
  let count = 0;
  const requestToken = () => {
    count += 1;
    return Promise.resolve(logins[Math.min(count, logins.length) - 1]!);
  };
  const service = createFundingService({
    config: createClientConfig(),
    transport,
    tokens: createTokenCache({ requestToken, clock: time.clock, onEvent }),
    clock: time.clock,
    onEvent,
  });
  return { service, requests, events, time };
}
