// The session's lifetime: the order of its times.

import { describe, expect, it } from 'vitest';
import { sessionLifetime } from '../../../shared/api/session-lifetime.ts';
import { warningMs } from '../../../widget/app/session.ts';

describe('sessionLifetime', () => {
  const { idleSeconds, maxSeconds, renewAfterSeconds } = sessionLifetime;

  it('ends an unused session token no later than an unused cookie', () => {
    expect(idleSeconds.handle).toBeLessThanOrEqual(idleSeconds.cookie);
  });

  it('ends an unused session no later than any session', () => {
    expect(idleSeconds.cookie).toBeLessThanOrEqual(maxSeconds);
  });

  // Otherwise a request that the element sends because of its warning would not extend the session.
  it('allows a renewal before the element warns of the end', () => {
    expect(renewAfterSeconds).toBeLessThanOrEqual(idleSeconds.handle - warningMs / 1000);
  });
});
