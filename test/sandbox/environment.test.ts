import { describe, expect, it } from 'vitest';
import { readEnvironment } from '../../sandbox/environment.ts';

describe('the sandbox’s environment', () => {
  it('has a default for everything', () => {
    expect(readEnvironment({ SANDBOX_PORT: '' })).toEqual({
      kind: 'valid',
      environment: {
        SANDBOX_HOST: '127.0.0.1',
        SANDBOX_PORT: 8082,
        SANDBOX_FAILURE_STATUS: 'body',
        SANDBOX_AGGREGATOR_NAME: 'Aggregator',
        SANDBOX_OFFER_DELAY_MS: 12_000,
        SANDBOX_OFFERS_ENABLED: 'yes',
      },
    });
  });

  it('takes what is set', () => {
    const reading = readEnvironment({ SANDBOX_PORT: '0', SANDBOX_FAILURE_STATUS: 'http' });
    expect(reading).toMatchObject({
      environment: { SANDBOX_PORT: 0, SANDBOX_FAILURE_STATUS: 'http' },
    });
  });

  it('tells every problem at once, by name', () => {
    const reading = readEnvironment({
      SANDBOX_PORT: '70000',
      SANDBOX_FAILURE_STATUS: 'maybe',
      SANDBOX_OFFER_DELAY_MS: '-1',
    });
    expect(reading).toEqual({
      kind: 'invalid',
      problems: [
        'SANDBOX_PORT must be a whole number from 0 to 65535',
        'SANDBOX_FAILURE_STATUS must be "body" or "http"',
        'SANDBOX_OFFER_DELAY_MS must be a whole number of milliseconds, at most a day',
      ],
    });
  });
});
