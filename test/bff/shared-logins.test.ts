import { describe, expect, it } from 'vitest';
import { connectFundingService } from '../../bff/connect.ts';
import type { FundingServiceEvent } from '../../bff/funding-service/events.ts';
import { createOwnLoginStore, type LoginStore } from '../../bff/funding-service/login-pauses.ts';
import { JournalError } from '../../bff/journal/database.ts';
import { shareLogins, toCredentialsMark } from '../../bff/shared-logins.ts';
import { answerOf, createScriptedTransport } from '../support/scripted-transport.ts';
import { createTestConfig } from './bff-rig.ts';
import { createManualTime, type ManualTime } from './manual-time.ts';

const config = createTestConfig();
const otherKey = Buffer.from(Array.from({ length: 32 }, (_, index) => index)).toString('base64');

describe('shareLogins', () => {
  it('makes processes with the same credentials wait for each other', async () => {
    const { first, second } = setUp();
    await first.begin();
    expect(await second.begin()).toEqual({ kind: 'taken' });
    await first.end(1, { kind: 'refused' });
    expect((await second.begin()).kind).toBe('paused');
  });

  it('lets an operator who has changed the password try at once', async () => {
    const { first, journal, time } = setUp();
    await first.begin();
    await first.end(1, { kind: 'refused' });
    const service = { ...config.service, password: 'another' };
    const changed = share({ ...config, service }, journal, time);
    expect(await changed.begin()).toEqual({ kind: 'mine', number: 1 });
  });

  it('goes on alone while the journal is away, says so once, and comes back', async () => {
    const { first, journal, events, time } = setUp();
    journal.isAway = true;
    expect(await first.begin()).toEqual({ kind: 'mine', number: 1 });
    await first.end(1, { kind: 'refused' });
    expect((await first.begin()).kind).toBe('paused');
    expect(events).toEqual([{ event: 'login-pause-unshared' }]);
    journal.isAway = false;
    expect(await first.begin()).toEqual({ kind: 'mine', number: 1 });
    await first.end(1, { kind: 'refused' });
    journal.isAway = true;
    time.advance(60_000);
    expect(await first.begin()).toEqual({ kind: 'mine', number: 2 });
    expect(events).toHaveLength(2);
  });

  it('hides no fault of our own', async () => {
    const { first, journal } = setUp();
    journal.changeLogin = () => Promise.reject(new RangeError('broken'));
    await expect(first.begin()).rejects.toThrow('broken');
  });
});

describe('two connected services with one journal', () => {
  it('try a wrong password once, and the second is told without trying', async () => {
    const time = createManualTime();
    const journal = createOwnLoginStore(time.clock);
    const { transport, requests } = createScriptedTransport(
      answerOf(400, { error: 'invalid_grant' }),
    );
    const events: string[] = [];
    const onEvent = ({ event }: FundingServiceEvent) => void events.push(event);
    const connect = () =>
      connectFundingService({ config, transport, journal, clock: time.clock, onEvent });
    expect(await connect().contactUser('1')).toEqual({ kind: 'authentication' });
    expect(await connect().contactUser('1')).toEqual({ kind: 'authentication' });
    expect(requests).toHaveLength(1);
    expect(events.filter((event) => event === 'login-paused')).toHaveLength(2);
  });
});

describe('toCredentialsMark', () => {
  it.each(['authUrl', 'clientId', 'clientSecret', 'username', 'password'] as const)(
    'is another one when the %s changes',
    (name) => {
      const service = { ...config.service, [name]: 'changed' };
      expect(toCredentialsMark({ ...config, service })).not.toBe(toCredentialsMark(config));
    },
  );

  it('cannot be made without the data key', () => {
    const other = { ...config, dataKeys: { 1: otherKey } };
    expect(toCredentialsMark(other)).not.toBe(toCredentialsMark(config));
    expect(toCredentialsMark(config)).toMatch(/^[\w-]{43}$/);
  });
});

interface JournalWithOutages extends LoginStore {
  isAway: boolean;
  changeLogin: LoginStore['changeLogin'];
}

function setUp() {
  const time = createManualTime();
  const journal = createJournalWithOutages(createOwnLoginStore(time.clock));
  const events: FundingServiceEvent[] = [];
  const first = share(config, journal, time, events);
  return { first, second: share(config, journal, time), journal, events, time };
}

function share(
  shared: typeof config,
  journal: LoginStore,
  time: ManualTime,
  events: FundingServiceEvent[] = [],
) {
  const onEvent = (event: FundingServiceEvent) => void events.push(event);
  return shareLogins({ config: shared, journal, clock: time.clock, onEvent });
}

function createJournalWithOutages(store: LoginStore): JournalWithOutages {
  const journal: JournalWithOutages = {
    isAway: false,
    changeLogin: (credentials, change) =>
      journal.isAway
        ? Promise.reject(new JournalError('JOURNAL_UNAVAILABLE', 'away'))
        : store.changeLogin(credentials, change),
  };
  return journal;
}
