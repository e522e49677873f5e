import { describe, expect, it } from 'vitest';
import { createOwnLoginStore } from '../../bff/funding-service/login-pauses.ts';
import { openSqlite } from '../../bff/journal/sqlite.ts';
import { createLoginStore } from '../../bff/journal/logins.ts';
import { createManualTime } from '../bff/manual-time.ts';
import { findMost } from './login-world.ts';
import { runTokenCalls } from './token-calls.ts';
import { runWrongPassword } from './wrong-password.ts';

describe('a hundred thousand calls', () => {
  it('need one login for each cold start, revocation and expiry, and one retry at the most', async () => {
    const result = await runTokenCalls(100_000);
    expect(result.problems).toEqual([]);
    expect(result.revocations).toBeGreaterThan(1_500);
  });
});

describe('a wrong password for a day', () => {
  it('is tried at most three times within fifteen minutes by three processes that share a journal', async () => {
    const time = createManualTime();
    const database = openSqlite('file::memory:', { clock: time.clock });
    const openStore = () => createLoginStore(database);
    const result = await runWrongPassword({ hours: 24, processes: 3, time, openStore });
    await database.close();
    expect(result.problems).toEqual([]);
    expect(result.died).toBeGreaterThan(3);
  });

  it('is tried more often by processes that share nothing: the campaign would see it', async () => {
    const time = createManualTime();
    const openStore = () => createOwnLoginStore(time.clock);
    const result = await runWrongPassword({ hours: 4, processes: 3, time, openStore });
    expect(result.most).toBeGreaterThan(3);
  });
});

describe('findMost', () => {
  it.each<[number[], number]>([
    [[], 0],
    [[5], 1],
    [[0, 10, 20], 1],
    [[20, 0, 9, 10], 2],
    [[0, 1, 2, 9, 10], 4],
  ])('counts in %j', (times, most) => {
    expect(findMost(times, 10)).toBe(most);
  });
});
