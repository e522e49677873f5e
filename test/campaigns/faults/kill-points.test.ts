import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createStore, openDatabase } from '../../../bff/store/open-store.ts';
import { createNewApplication } from '../../bff/store/contract/rows.ts';
import { killPoints, withStatementPoints, withStorePoints } from './kill-points.ts';

it('kill points have unique names', () => {
  expect(new Set(killPoints).size).toBe(killPoints.length);
});

it('docs/reliability.md has the number of kill points', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/reliability.md'), 'utf8');
  expect(page).toContain(`at one of ${killPoints.length} named points`);
});

it('a store reports its points in order, and no claim that found no row', async () => {
  const reached: string[] = [];
  const reportPoint = (point: string) => reached.push(point);
  const database = await openDatabase('file::memory:');
  const store = withStorePoints(
    createStore(withStatementPoints(database, reportPoint)),
    reportPoint,
  );
  await store.claimDue('application', 1_000);
  await store.addApplication(createNewApplication(), []);
  expect(reached.filter((point) => killPoints.includes(point))).toEqual([
    'store claimDue before',
    'store addApplication before',
    'statement insert application',
    'commit before',
    'store addApplication after',
  ]);
  await store.close();
});
