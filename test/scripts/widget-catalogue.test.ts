import { describe, expect, it } from 'vitest';
import { withoutKeys } from '../../scripts/widget-catalogue.mjs';

const english = {
  file: 'en-after.ts',
  source: `export const enAfter = { yes: 'Yes', 'a.b': 'See {name} and {count}' } as const;`,
};

function translate(sentences: string) {
  const source = `import type { enAfter } from './en-after.ts';
    export const esAfter = { ${sentences} } as const satisfies Record<keyof typeof enAfter, string>;`;
  return withoutKeys(english, { file: 'es-after.ts', source });
}

describe('a translated catalogue in the built widget', () => {
  it('has its sentences in the order of the English one, and takes its keys from there', async () => {
    const code = translate(`'a.b': '{count}: «{name}»', yes: 'Sí'`);
    const module = code.replace(/import .*/, `const enAfter = { yes: '', 'a.b': '' };`);

    expect(code).toContain(`import { enAfter } from './en-after.ts';`);
    expect(code).not.toContain('a.b');
    expect(await import(`data:text/javascript,${encodeURIComponent(module)}`)).toHaveProperty(
      'esAfter',
      { yes: 'Sí', 'a.b': '{count}: «{name}»' },
    );
  });

  it('does not build without a sentence, or with one too much', () => {
    expect(() => translate(`yes: 'Sí', no: 'No'`)).toThrow(
      'es-after.ts: a.b is missing; no is too much',
    );
  });

  it('does not build when a sentence puts in other values', () => {
    expect(() => translate(`yes: 'Sí', 'a.b': 'Vea {nombre} y {count}'`)).toThrow(
      'es-after.ts: a.b does not put in the same values',
    );
  });

  it('does not build from anything but sentences that are written out', () => {
    expect(() => translate(`...others, yes: 'Sí'`)).toThrow('written out');
    expect(() => translate(`yes: sí`)).toThrow('written out');
    expect(() => translate(`0: 'Cero'`)).toThrow('written out');
  });
});
