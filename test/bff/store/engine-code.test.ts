// How an engine's error is named for an operator.

import { expect, it } from 'vitest';
import { StoreError, toEngineCode } from '../../../bff/store/database.ts';

const sqlite = (errcode: number) =>
  Object.assign(new Error('canary'), { code: 'ERR_SQLITE_ERROR', errcode });

it.each([
  [sqlite(13), 'SQLITE_FULL'],
  // An extended result: its lowest byte is the primary one.
  [sqlite(10 | (3 << 8)), 'SQLITE_IOERR'],
  [sqlite(1), 'ERR_SQLITE_ERROR'],
  [Object.assign(new Error('canary'), { code: '28P01' }), '28P01'],
  [new StoreError('STORE_UNAVAILABLE', 'canary', sqlite(26)), 'SQLITE_NOTADB'],
  [new StoreError('STORE_FULL', 'canary'), 'STORE_FULL'],
  [new TypeError('canary'), 'TypeError'],
  ['canary', 'unknown'],
])('%o is %s', (error, code) => {
  expect(toEngineCode(error)).toBe(code);
});
