// Vite plugin: takes out of the widget's templates and sheets what only readers of the sources need.
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

/** @param {string} source @param {string} file tells the parser the language. */
export function shortenLiterals(source, file = 'literals.ts') {
  const pieces = [];
  let end = 0;
  for (const { start, raw, tag } of findLiterals(source, file)) {
    pieces.push(source.slice(end, start), shorten[tag](raw));
    end = start + raw.length;
  }
  return pieces.join('') + source.slice(end);
}

/** The written parts of the templates, without what is put into them, in the order of the source. */
function findLiterals(source, file) {
  const literals = [];
  const visitor = new Visitor({
    TaggedTemplateExpression({ tag, quasi }) {
      if (tag.type !== 'Identifier' || !Object.hasOwn(shorten, tag.name)) return;
      for (const { start, end, value } of quasi.quasis) {
        // Whether its range takes in the marks around it differs between parsers.
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
 * A run of blanks reads like one blank, between words as between elements. What keeps its blanks is not written into templates:
 * a `pre` or `textarea` would need a rule of its own, and texts with `white-space: pre-line` are put in when they are shown.
 */
function shortenMarkup(markup) {
  if (/<(pre|textarea)\b/.test(markup)) throw new Error('Blanks count inside of pre and textarea');
  return markup.replaceAll(/[ \t\n]+/g, ' ');
}

function shortenSheet(sheet) {
  const quoted = /("[^"]*"|'[^']*')/.source;
  return (
    sheet
      .replaceAll(/\/\*.*?\*\//gs, '')
      .replaceAll(new RegExp(`${quoted}|[ \\t\\n]+`, 'g'), (_, text) => text ?? ' ')
      // Not before a colon: "a :hover" is another selector than "a:hover".
      .replaceAll(new RegExp(`${quoted}| ?([{};,]) ?|(:) `, 'g'), '$1$2$3')
      .replaceAll(';}', '}')
  );
}
