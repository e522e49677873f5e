import { describe, expect, it } from 'vitest';
import { readEnvironment } from '../../sandbox/environment.ts';

describe('the sandbox’s environment', () => {
  it('has a default for every variable', () => {
    expect(readEnvironment({ SANDBOX_PORT: '' })).toEqual({
      kind: 'valid',
      environment: {
        FUNDING_ENVIRONMENT: 'sandbox',
        SANDBOX_HOST: '127.0.0.1',
        SANDBOX_PORT: 8082,
        SANDBOX_FAILURE_STATUS: 'body',
        SANDBOX_AGGREGATOR_NAME: 'Aggregator',
        SANDBOX_OFFER_DELAY_MS: 12_000,
        SANDBOX_OFFERS_ENABLED: 'yes',
      },
    });
  });

  it('reads the variables', () => {
    const reading = readEnvironment({ SANDBOX_PORT: '0', SANDBOX_FAILURE_STATUS: 'http' });
    expect(reading).toMatchObject({
      environment: { SANDBOX_PORT: 0, SANDBOX_FAILURE_STATUS: 'http' },
    });
  });

  it.each(['staging', 'production'])('refuses the environment %s', (environment) => {
    expect(readEnvironment({ FUNDING_ENVIRONMENT: environment })).toEqual({
      kind: 'invalid',
      problems: [
        'FUNDING_ENVIRONMENT is not "sandbox". The sandbox is for development and tests only: unset the variable, or set it to "sandbox".',
      ],
    });
  });

  it('reports every invalid variable at once', () => {
    const reading = readEnvironment({
      SANDBOX_PORT: '70000',
      SANDBOX_FAILURE_STATUS: 'maybe',
      SANDBOX_OFFER_DELAY_MS: '-1',
    });
    expect(reading).toEqual({
      kind: 'invalid',
      problems: [
        'SANDBOX_PORT is not a port. Use a whole number from 0 to 65535.',
        'SANDBOX_FAILURE_STATUS is not a failure status. Use "body" or "http".',
        'SANDBOX_OFFER_DELAY_MS is not a delay. Use whole milliseconds from 0 to 86400000.',
      ],
    });
  });
});
