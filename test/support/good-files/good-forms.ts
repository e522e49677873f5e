// PDFs with names of actions and attachments at positions where they have no meaning, and forms of authorities, banks, and signing
// services.

import type { GoodFile } from './good-file.ts';
import { toStream, withCatalog, withPage } from '../files/pdf.ts';

/** Names that have a meaning in an action, an annotation, or the catalog, and nowhere else. */
const harmlessNames = [
  'S',
  'A',
  'AA',
  'EF',
  'JS',
  'Next',
  'Launch',
  'Movie',
  'Sound',
  '3D',
  'JavaScript',
  'OpenAction',
  'EmbeddedFile',
  'XFA',
];

/** Positions where a program, a bank, or an applicant may choose any name. */
function listHarmlessPlaces(name: string): GoodFile[] {
  const resources = [
    'Font',
    'XObject',
    'ExtGState',
    'ColorSpace',
    'Pattern',
    'Shading',
    'Properties',
  ];
  return [
    ...resources.map((kind) =>
      toFile(`with a resource named ${name} in ${kind}`, () =>
        withPage(`/Resources<</${kind}<</${name} 5 0 R>>>>`),
      ),
    ),
    toFile(`with a glyph named ${name}`, () =>
      withPage('/Resources<</Font<</F2 6 0 R>>>>', [
        `<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/FirstChar 1/LastChar 1/Widths[1]/Encoding<</Differences[1/${name}]>>/CharProcs<</${name} 7 0 R>>>>`,
        toStream('', '0 0 m'),
      ]),
    ),
    toFile(`with a check box state named ${name}`, () =>
      withPage(
        `/Annots[<</Type/Annot/Subtype/Widget/FT/Btn/Rect[0 0 9 9]/AS/${name}/AP<</N<</${name} 6 0 R/Off 6 0 R>>>>>>]`,
        [toStream('/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Group<</S/Transparency>>', '')],
      ),
    ),
    toFile(`with a destination named ${name}`, () =>
      withCatalog(`/Dests<</${name}<</D[3 0 R/Fit]>>>>/OpenAction/${name}`),
    ),
    toFile(`with a structure role named ${name}`, () =>
      withCatalog(`/StructTreeRoot 6 0 R`, [
        `<</Type/StructTreeRoot/RoleMap<</${name}/P>>/ClassMap<</${name}<</O/Layout>>>>/K 7 0 R>>`,
        `<</Type/StructElem/S/${name}/C/${name}/P 6 0 R/A<</O/Layout/TextAlign/End>>/K 0>>`,
      ]),
    ),
    toFile(`with a spot color named ${name}`, () =>
      withPage(`/Resources<</ColorSpace<</C1[/Separation/${name}/DeviceGray 5 0 R]>>>>`),
    ),
  ];
}

/** Forms like those of the IRS, banks, and electronic signature services. */
const forms: readonly GoodFile[] = [
  toFile('with usage rights', () =>
    withCatalog('/Perms<</UR3 6 0 R>>', [
      '<</Type/Sig/Filter/Adobe.PPKLite/Reference[<</Type/SigRef/TransformMethod/UR3/TransformParams<</Type/TransformParams/V/2.2/Document[/FullSave]/Form[/FillIn/Import]/EF[/Create/Delete/Modify/Import]>>>>]>>',
    ]),
  ),
  toFile('with a button that submits the form', () =>
    withPage(
      '/Annots[<</Type/Annot/Subtype/Widget/FT/Btn/Rect[0 0 9 9]/A 6 0 R/AA<</U 6 0 R>>>>]',
      ['<</S/SubmitForm/F<</FS/URL/F(https://bank.example)>>>>'],
    ),
  ),
  toFile('with a link to another file', () =>
    withPage('/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/GoToR/F(b.pdf)/D[0/Fit]>>>>]'),
  ),
  toFile('with a link that keeps its earlier URL', () =>
    withPage(
      '/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/Dest[3 0 R/Fit]/PA<</S/URI/URI(https://bank.example)>>>>]',
    ),
  ),
  toFile('with an action that no object references', () =>
    withCatalog('', ['<</S/Launch/F(cmd.exe)>>']),
  ),
  toScriptedFile('with fields that format and add numbers', () =>
    withPage(
      '/Annots[<</Type/Annot/Subtype/Widget/FT/Tx/T(total)/Rect[0 0 9 9]/AA<</F 6 0 R/K 6 0 R/C 6 0 R>>>>]',
      ['<</S/JavaScript/JS(AFNumber_Format\\(2\\))>>'],
    ),
  ),
  toScriptedFile('with document scripts of a form', () =>
    withCatalog('/Names<</JavaScript<</Names[(!ADBE::0100_VersChkStrings)6 0 R]>>>>', [
      '<</S/JavaScript/JS 7 0 R>>',
      toStream('', 'function check() {}'),
    ]),
  ),
  toScriptedFile('with an XFA form', () =>
    withCatalog('/AcroForm<</Fields[]/XFA[(template)6 0 R(datasets)6 0 R]>>', [
      toStream('/Type/EmbeddedFile', '<html xmlns="http://www.w3.org/1999/xhtml"><script/></html>'),
    ]),
  ),
];

export const goodForms: readonly GoodFile[] = [
  ...harmlessNames.flatMap(listHarmlessPlaces),
  ...forms,
];

function toFile(name: string, make: GoodFile['make']): GoodFile {
  return { name, extension: 'pdf', make };
}

/** Refused in the strict mode. */
function toScriptedFile(name: string, make: GoodFile['make']): GoodFile {
  return { ...toFile(name, make), isRefusedInStrictMode: true };
}
