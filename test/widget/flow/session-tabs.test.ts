// One session in several tabs: what one of them does, the others hear.

import { describe, expect, it } from 'vitest';
import { createFakeChannels } from '../../support/fake-page.ts';
import { begin, createWatch, minute } from '../../support/watched-session.ts';

describe('a session of several tabs', () => {
  it('is warned of in none when one of them uses it', async () => {
    const channels = createFakeChannels();
    const one = createWatch({ channels });
    const other = createWatch({ channels });
    one.open();
    other.open();
    await one.waitForTimer();
    expect(one.watch.notice).toBe('ends');
    other.wait(26 * minute);
    other.watch.use();
    await other.polling.settle();
    expect([one.watch.notice, one.asked, one.watch.endsAt]).toEqual([
      undefined,
      0,
      other.watch.endsAt,
    ]);
  });

  it.each([
    ['what is no time', 'tomorrow'],
    ['an earlier time', begin + minute],
    ['a time that no session reaches', begin + 30 * 24 * 60 * minute],
  ])('does not take over %s', (_what, message) => {
    const channels = createFakeChannels();
    const { watch, open } = createWatch({ channels });
    open();
    channels.send(message);
    expect(watch.endsAt).toBe(begin + 30 * minute);
  });

  it('is this page’s own where it travels by a handle', () => {
    const channels = createFakeChannels();
    const heard: unknown[] = [];
    channels.open((endsAt) => heard.push(endsAt));
    const { watch, api, open } = createWatch({ channels });
    api.endsWithPage = true;
    open();
    channels.send(begin + 50 * minute);
    expect([heard, watch.endsAt]).toEqual([[begin + 50 * minute], begin + 30 * minute]);
  });
});
