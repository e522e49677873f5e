// Converts rows of the database, whose columns are named in snake_case, into objects.

import * as z from 'zod/mini';
import type { Rows } from './database.ts';

export function parseRow<Schema extends z.ZodMiniType>(
  schema: Schema,
  raw: unknown,
): z.output<Schema> {
  const columns = typeof raw === 'object' && raw !== null ? Object.entries(raw) : [];
  const properties = columns.map(([name, value]) => [
    name.replaceAll(/_[a-z]/g, (letter) => letter.slice(1).toUpperCase()),
    value,
  ]);
  return schema.parse(Object.fromEntries(properties));
}

export function parseRows<Schema extends z.ZodMiniType>(
  schema: Schema,
  rows: Rows,
): z.output<Schema>[] {
  return rows.map((row) => parseRow(schema, row));
}

/** Parses the first row, if there is one. */
export function parseFirst<Schema extends z.ZodMiniType>(
  schema: Schema,
  rows: Rows,
): z.output<Schema> | undefined {
  return parseRows(schema, rows.slice(0, 1))[0];
}

/** True when the error says that a row has invalid values. */
export function isUnreadable(error: unknown): boolean {
  if (error instanceof z.core.$ZodError || error instanceof SyntaxError) return true;
  // An integer of SQLite can exceed the safe integers of JavaScript.
  return error instanceof RangeError && 'code' in error && error.code === 'ERR_OUT_OF_RANGE';
}
