import { describe, expect, it } from 'vitest';
import { shortenLiterals } from '../../scripts/widget-literals.mjs';

describe('the literals of the built widget', () => {
  it('have one space for whitespace in markup', () => {
    const source = 'const a = html`<p\n    class="a"\n  >\n    ${b}  and\n\t<b>c</b>\n  </p>`;';

    expect(shortenLiterals(source)).toBe('const a = html`<p class="a" > ${b} and <b>c</b> </p>`;');
  });

  it('are shortened when nested, without changes to the code', () => {
    const source = "html`<p>\n${x\n  ? html`<b>\n\n</b>` : '  '}\n}</p>`";

    expect(shortenLiterals(source)).toBe("html`<p> ${x\n  ? html`<b> </b>` : '  '} }</p>`");
  });

  it('keep non-breaking spaces, escapes, or other templates', () => {
    const source = 'html`\u00a0 \\u00a0  `;\nconst a = `  ${b}  `;\nlog`  `;';

    expect(shortenLiterals(source)).toBe('html`\u00a0 \\u00a0 `;\nconst a = `  ${b}  `;\nlog`  `;');
  });

  it('lose comments or redundant whitespace in style sheets', () => {
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

  it('are refused in elements that keep whitespace', () => {
    expect(() => shortenLiterals('html`<textarea\n></textarea>`')).toThrow('textarea');
  });
});
