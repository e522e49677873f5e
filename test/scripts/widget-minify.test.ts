import { describe, expect, it } from 'vitest';
import { minifyModule, widgetMinify } from '../../scripts/widget-minify.mjs';

describe('the minified modules of the widget', () => {
  it('have short names in their own scope', async () => {
    const source = 'const greeting = read(); export const greet = (name) => greeting + name;';

    expect(await minifyModule(source)).toMatch(
      /^const (\w)=read\(\);export const greet=(\w)=>\1\+\2;$/,
    );
  });

  it('keep the names of properties, which host pages and the BFF use', async () => {
    const source = 'export class Form { locale = "en"; submit(draft) { return draft.amount; } }';

    expect(await minifyModule(source)).toMatch(/locale=.*submit\(\w\){return \w\.amount}/);
  });

  it('keep the texts of templates', async () => {
    const source = 'export const view = (text) => html`<p class="a"> ${text} </p>`;';

    expect(await minifyModule(source)).toMatch(/html`<p class="a"> \$\{\w\} <\/p>`/);
  });

  it('are refused with a syntax error', async () => {
    await expect(minifyModule('const a = ;', 'form.js')).rejects.toThrow(/^form\.js/);
  });

  it('are compiled while they download, if they are in the first file', async () => {
    const { renderChunk } = widgetMinify();
    const render = async (name: string) =>
      Reflect.apply(renderChunk as () => unknown, undefined, [
        'export const a = 1;',
        { fileName: 'a.js', name },
      ]);

    expect(await render('funding-application')).toMatchObject({
      code: '//# allFunctionsCalledOnLoad\nexport const a=1;',
    });
    expect(await render('form')).toMatchObject({ code: 'export const a=1;' });
  });
});
