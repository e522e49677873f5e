import { describe, expect, it } from 'vitest';
import { withoutKeys } from '../../scripts/widget-catalog.mjs';

const english = {
  file: 'en-after.ts',
  source: `export const enAfter = { yes: 'Yes', 'a.b': 'See {name} and {count}' } as const;`,
};

function translate(sentences: string) {
  const source = `import type { enAfter } from './en-after.ts';
    export const esAfter = { ${sentences} } as const satisfies Record<keyof typeof enAfter, string>;`;
  return withoutKeys(english, { file: 'es-after.ts', source });
}

describe('a translated catalog in the built widget', () => {
  it('has the order of the English catalog, which has the keys', async () => {
    const code = translate(`'a.b': '{count}: «{name}»', yes: 'Sí'`);
    const module = code.replace(/import .*/, `const enAfter = { yes: '', 'a.b': '' };`);

    expect(code).toContain(`import { enAfter } from './en-after.ts';`);
    expect(code).not.toContain('a.b');
    expect(await import(`data:text/javascript,${encodeURIComponent(module)}`)).toHaveProperty(
      'esAfter',
      { yes: 'Sí', 'a.b': '{count}: «{name}»' },
    );
  });

  it('fails on a missing key or an unknown key', () => {
    expect(() => translate(`yes: 'Sí', no: 'No'`)).toThrow(
      'es-after.ts: a.b is missing; no is not in the English catalog',
    );
  });

  it('fails on different placeholders', () => {
    expect(() => translate(`yes: 'Sí', 'a.b': 'Vea {nombre} y {count}'`)).toThrow(
      'es-after.ts: a.b has different placeholders',
    );
  });

  it('fails on anything but string literals', () => {
    expect(() => translate(`...others, yes: 'Sí'`)).toThrow('string literal');
    expect(() => translate(`yes: sí`)).toThrow('string literal');
    expect(() => translate(`0: 'Cero'`)).toThrow('string literal');
  });
});
