import { describe, expect, it } from 'vitest';
import { toDocumentName } from '../../../bff/documents/document-name.ts';
import { findNameFaults, hostileNames } from '../../campaigns/hostile/hostile-names.ts';

describe('toDocumentName', () => {
  it.each<[string, string, string]>([
    ['statement.pdf', 'statement', 'pdf'],
    ['statement.PDF', 'statement', 'pdf'],
    ['bank.2026.03.pdf', 'bank.2026.03', 'pdf'],
    ['My statement (March).jpeg', 'My statement (March)', 'jpeg'],
    ['README', 'README', ''],
    ['v1.2 of it', 'v1.2 of it', ''],
    ['a.', 'a', ''],
    ['.pdf', 'document', 'pdf'],
    ['.htaccess', 'document', 'htaccess'],
    ['..pdf', 'document', 'pdf'],
    ['', 'document', ''],
    ['   ', 'document', ''],
    ['...', 'document', ''],
    ['---.png', 'document', 'png'],
    [' - .secret.pdf', 'secret', 'pdf'],
    ['-rf.pdf', 'rf', 'pdf'],
    ['name .pdf ', 'name', 'pdf'],
    ['two\u00a0 \tblanks.pdf', 'two blanks', 'pdf'],
    ['../../etc/passwd.png', '_.._etc_passwd', 'png'],
    ['C:\\fakepath\\scan.jpg', 'C__fakepath_scan', 'jpg'],
    ['a:b*c?d"e<f>g|h.pdf', 'a_b_c_d_e_f_g_h', 'pdf'],
    ['nul\u0000byte.pdf', 'nulbyte', 'pdf'],
    ['line\r\nbreak.pdf', 'line break', 'pdf'],
    ['evil\u202Efdp.exe', 'evilfdp', 'exe'],
    ['zero\u200Bwidth\uFEFF.pdf', 'zerowidth', 'pdf'],
    ['statement.pdf\u200B', 'statement', 'pdf'],
    ['half\ud83d.pdf', 'half', 'pdf'],
    ['Cafe\u0301.pdf', 'Caf\u00e9', 'pdf'],
    ['CON.pdf', '_CON', 'pdf'],
    ['con.2026.pdf', '_con.2026', 'pdf'],
    ['lpt1.png', '_lpt1', 'png'],
    ['COM\u00b9.png', '_COM\u00b9', 'png'],
    ['console.pdf', 'console', 'pdf'],
    ['Kontoauszug März 📄.pdf', 'Kontoauszug März 📄', 'pdf'],
    ['a'.repeat(200) + '.pdf', 'a'.repeat(80), 'pdf'],
    ['a'.repeat(79) + '📄.pdf', 'a'.repeat(79), 'pdf'],
    ['a'.repeat(78) + '📄b.pdf', `${'a'.repeat(78)}📄`, 'pdf'],
    ['a'.repeat(79) + ' b.pdf', 'a'.repeat(79), 'pdf'],
    ['e\u200B\u0301.pdf', '\u00e9', 'pdf'],
    ['\u3164.pdf', 'document', 'pdf'],
    ['a\u2800b\uFE00c\uFFFE.pdf', 'abc', 'pdf'],
    ['..\uFF0F..\u2215etc\uFF3Cpasswd.pdf', '_.._etc_passwd', 'pdf'],
    ['%2e%2e%2Fetc.pdf', '_2e_2e_2Fetc', 'pdf'],
    ['100 % of it.pdf', '100 % of it', 'pdf'],
    ['=cmd|calc.pdf', 'cmd_calc', 'pdf'],
    ['~root.pdf', 'root', 'pdf'],
    ['clock$.pdf', '_clock$', 'pdf'],
  ])('converts %j to %j with extension %j', (fileName, name, extension) => {
    expect(toDocumentName(fileName)).toEqual({ name, extension });
  });

  it('removes unsafe characters from a name', () => {
    const names = hostileNames.map((name) => toDocumentName(`${name}.pdf`).name);
    expect(names.flatMap(findNameFaults)).toEqual([]);
  });

  it('does not change its own result', () => {
    const once = hostileNames.map((name) => toDocumentName(`${name}.pdf`));
    const twice = once.map(({ name }) => toDocumentName(`${name}.pdf`));
    expect(twice).toEqual(once);
  });
});
