import { expect, it } from 'vitest';
import { describeMachine, toTable } from './table.ts';

it('shows a figure where there is one', () => {
  const kills = { campaign: 'SIGKILL', engine: 'SQLite', runs: 400, unit: 'kills', seconds: 61 };
  const table = toTable([{ ...kills, acknowledged: 12_345, lost: 0, problems: [] }]);
  const [head = '', , row = ''] = table.split('\n');
  expect(row).toBe('| SIGKILL | SQLite | 400 kills | 12,345 | 0 |  |  | 0 |  |  | 61 |');
  expect(row.split('|')).toHaveLength(head.split('|').length);
});

it('names the day and the machine', () => {
  expect(describeMachine(new Date('2026-11-20T10:00:00Z'))).toMatch(
    /^2026-11-20, \d+ cores \(.+\), \d+ GB, Node v\d+/,
  );
});
