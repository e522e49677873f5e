// Text and CSV files like those of banks and accounting programs.

import { toBytes } from '../files/bytes.ts';
import type { GoodFile } from './good-file.ts';

const head = 'Date,Description,Amount\r\n';

export const goodTexts: readonly GoodFile[] = [
  toTable(
    'a statement',
    `${head}03/02/2026,CARD SETTLEMENT,1204.11\r\n03/03/2026,PAYROLL,-4120.00\r\n`,
  ),
  toTable('with quoted cells', `${head}"03/02/2026","SMITH, JONES ""LTD""","-1,204.11"\r\n`),
  toTable('with semicolons', 'Date;Amount\n2026-03-02;-12,50\n2026-03-03;+7,00\n'),
  toTable('with tabs', 'Date\tAmount\n2026-03-02\t-12.50\n'),
  toTable('with vertical bars', 'Date|Amount|Payee\n2026-03-02|-12.50|BAKERY\n-12.50|BAKERY|+3\n'),
  toTable('with formulas that keep leading zeros', `${head}="00123",="(03) 5550134","=1+1"\n`),
  toTable('with telephone numbers', `${head}03/02,+1 (207) 555-0134,-1\n`),
  toTable('with descriptions that begin with a sign', `${head}03/02,-DEPOSIT (ATM),@HOME STORE\n`),
  toTable('with a byte order mark', Buffer.from(`\uFEFF${head}03/02,Café,-1\n`)),
  toTable('in UTF-8', Buffer.from(`${head}03/02,Łódź Żabka 株式会社,-1\n`)),
  toTable(
    'in Windows-1252',
    toBytes(`${head}03/02,Caf\xe9 \x96 na\xefve \x80,-1\n03/03,PAYROLL,-2\n`),
  ),
  toText('a letter', 'Dear Sir or Madam,\n\n  we began <2019> & are "well".\n\n\tYours\n'),
  toText('with a form feed and the CP/M end mark', 'one\r\n\ftwo\r\n\x1a'),
  toText('that begins like a bitmap', 'BMO Bank of Example\n'),
  toText('shorter than any signature', 'ok'),
  toText('with white space at its beginning', '\n\n   Statement\n'),
];

function toTable(name: string, content: string | Uint8Array): GoodFile {
  return { name, extension: 'csv', make: () => toContent(content) };
}

function toText(name: string, content: string): GoodFile {
  return { name, extension: 'txt', make: () => toContent(content) };
}

function toContent(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? toBytes(content) : content;
}
