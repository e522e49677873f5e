import { describe, expect, it } from 'vitest';
import { shortenLiterals } from '../../scripts/widget-literals.mjs';

describe('the literals of the built widget', () => {
  it('have one blank where the source has lines of markup', () => {
    const source = 'const a = html`<p\n    class="a"\n  >\n    ${b}  and\n\t<b>c</b>\n  </p>`;';

    expect(shortenLiterals(source)).toBe('const a = html`<p class="a" > ${b} and <b>c</b> </p>`;');
  });

  it('are shortened inside of each other, and the code between them is not', () => {
    const source = "html`<p>\n${x\n  ? html`<b>\n\n</b>` : '  '}\n}</p>`";

    expect(shortenLiterals(source)).toBe("html`<p> ${x\n  ? html`<b> </b>` : '  '} }</p>`");
  });

  it('keep blanks that do not break, escapes, and templates of other kinds', () => {
    const source = 'html`\u00a0 \\u00a0  `;\nconst a = `  ${b}  `;\nlog`  `;';

    expect(shortenLiterals(source)).toBe('html`\u00a0 \\u00a0 `;\nconst a = `  ${b}  `;\nlog`  `;');
  });

  it('lose comments and blanks in a sheet, as far as these mean nothing', () => {
    const source = `css\`
      /* Why this is so. */
      .a :hover,
      .b > p {
        margin: 0 calc(1px + \${two});
        content: "a:  b";
      }
    \``;

    expect(shortenLiterals(source)).toBe(
      'css` .a :hover,.b > p{margin:0 calc(1px + ${two});content:"a:  b"}`',
    );
  });

  it('are refused where blanks count', () => {
    expect(() => shortenLiterals('html`<textarea\n></textarea>`')).toThrow('textarea');
  });
});
