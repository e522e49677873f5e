import { describe, expect, it } from 'vitest';
import { inspectOffice } from '../../../../bff/documents/inspectors/office.ts';
import { writeOffice } from '../../../support/good-files/office-writer.ts';

describe('inspectOffice', () => {
  it('tells a document and a workbook apart without asking anybody else', async () => {
    expect(await inspectOffice(writeOffice('docx'), 'docx')).toBeUndefined();
    expect(await inspectOffice(writeOffice('xlsx'), 'xlsx')).toBeUndefined();
    expect(await inspectOffice(writeOffice('docx'), 'xlsx')).toBe('content-differs');
    expect(await inspectOffice(writeOffice('xlsx'), 'docx')).toBe('content-differs');
  });
});
