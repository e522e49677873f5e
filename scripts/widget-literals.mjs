// Vite plugin: removes comments and redundant whitespace from the widget's templates and style sheets.
import { parseSync, Visitor } from 'vite';

const shorten = { html: shortenMarkup, svg: shortenMarkup, css: shortenSheet };

/** @returns {import('vite').Plugin} */
export function widgetLiterals() {
  return {
    name: 'widget-literals',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/widget\/.*\.ts$/ },
      handler: (source, id) => ({ code: shortenLiterals(source, id), map: null }),
    },
  };
}

/** @param {string} source @param {string} file name whose extension tells the parser the language. */
export function shortenLiterals(source, file = 'literals.ts') {
  const parts = [];
  let end = 0;
  for (const { start, raw, tag } of findLiterals(source, file)) {
    parts.push(source.slice(end, start), shorten[tag](raw));
    end = start + raw.length;
  }
  return parts.join('') + source.slice(end);
}

/** Returns the literal parts of the templates, without the substitutions, in source order. */
function findLiterals(source, file) {
  const literals = [];
  const visitor = new Visitor({
    TaggedTemplateExpression({ tag, quasi }) {
      if (tag.type !== 'Identifier' || !Object.hasOwn(shorten, tag.name)) return;
      for (const { start, end, value } of quasi.quasis) {
        // Parsers differ in whether this range includes the delimiters.
        const at = source.indexOf(value.raw, start);
        if (value.raw !== '' && at < end)
          literals.push({ start: at, raw: value.raw, tag: tag.name });
      }
    },
  });
  visitor.visit(parseSync(file, source).program);
  return literals.toSorted((one, other) => one.start - other.start);
}

/**
 * Collapses whitespace, which HTML renders as one space. Templates must not contain elements that keep whitespace: `pre` and
 * `textarea` would need their own rule. Texts with `white-space: pre-line` are inserted at run time.
 */
function shortenMarkup(markup) {
  if (/<(pre|textarea)\b/.test(markup))
    throw new Error('A template contains <pre> or <textarea>, which keep whitespace');
  return markup.replaceAll(/[ \t\n]+/g, ' ');
}

function shortenSheet(sheet) {
  const quoted = /("[^"]*"|'[^']*')/.source;
  return (
    sheet
      .replaceAll(/\/\*.*?\*\//gs, '')
      .replaceAll(new RegExp(`${quoted}|[ \\t\\n]+`, 'g'), (_, text) => text ?? ' ')
      // Keep the space before a colon: "a :hover" and "a:hover" are different selectors.
      .replaceAll(new RegExp(`${quoted}| ?([{};,]) ?|(:) `, 'g'), '$1$2$3')
      .replaceAll(';}', '}')
  );
}
