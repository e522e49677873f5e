// SQL statements with values.

import { describe, expect, it } from 'vitest';
import { joinSql, rawSql, sql } from '../../../bff/store/database.ts';

describe('sql', () => {
  it('sends values separately from the SQL', () => {
    const id = "a' or 1 = 1";
    expect(sql`select * from session where id = ${id} and created_at > ${7}`).toEqual({
      sql: 'select * from session where id = ? and created_at > ?',
      values: [id, 7],
    });
  });

  it('sends undefined as null', () => {
    expect(sql`${undefined}`).toEqual({ sql: '?', values: [null] });
  });

  it('inserts parts with their values in order', () => {
    const parts = [sql`a = ${1}`, sql`b = ${new Uint8Array([2])}`];
    const statement = sql`update ${rawSql('t')} set ${joinSql(parts, ', ')} where c = ${3}`;
    expect(statement).toEqual({
      sql: 'update t set a = ?, b = ? where c = ?',
      values: [1, new Uint8Array([2]), 3],
    });
  });
});
