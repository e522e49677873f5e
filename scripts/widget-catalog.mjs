// Vite plugin: bundles a translated catalog without its keys, as texts in the order of the English catalog, which is always loaded.
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseSync, Visitor } from 'vite';

/** @returns {import('vite').Plugin} */
export function widgetCatalog() {
  return {
    name: 'widget-catalog',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/widget\/i18n\/es(-\w+)?\.ts$/ },
      handler(source, file) {
        const english = join(dirname(file), basename(file).replace(/^es/, 'en'));
        this.addWatchFile(english);
        const code = withoutKeys(
          { file: basename(english), source: readFileSync(english, 'utf8') },
          { file: basename(file), source },
        );
        return { code, map: null };
      },
    },
  };
}

/** Returns the translation as a module that takes its keys from the English catalog. Throws when keys or placeholders differ. */
export function withoutKeys(english, translated) {
  const from = readCatalog(english);
  const to = readCatalog(translated);
  const problems = compare(from.sentences, to.sentences);
  if (problems.length > 0) throw new Error(`${translated.file}: ${problems.join('; ')}`);

  const inOrder = [...from.sentences.keys()].map((key) => to.sentences.get(key));
  return `import { ${from.name} } from './${english.file}';
const sentences = ${JSON.stringify(inOrder)};
export const ${to.name} = Object.fromEntries(Object.keys(${from.name}).map((key, index) => [key, sentences[index]]));
`;
}

function compare(from, to) {
  return [
    ...[...from.keys()].filter((key) => !to.has(key)).map((key) => `${key} is missing`),
    ...[...to.keys()]
      .filter((key) => !from.has(key))
      .map((key) => `${key} is not in the English catalog`),
    ...[...from]
      .filter(([key, sentence]) => to.has(key) && listNames(sentence) !== listNames(to.get(key)))
      .map(([key]) => `${key} has different placeholders`),
  ];
}

/** Returns the placeholders of a sentence, sorted and without duplicates. */
function listNames(sentence) {
  return [...new Set(sentence.match(/\{\w+\}/g))].toSorted().join();
}

/** Returns the one object of sentences that the module exports. */
function readCatalog({ file, source }) {
  const found = [];
  const visitor = new Visitor({
    ExportNamedDeclaration({ declaration }) {
      for (const { id, init } of declaration?.declarations ?? []) {
        found.push({ name: id.name, object: withoutTypes(init) });
      }
    },
  });
  visitor.visit(parseSync(file, source).program);
  const [catalog, ...others] = found;
  if (others.length > 0 || catalog?.object.type !== 'ObjectExpression')
    throw new Error(`${file} must export one object of sentences and nothing else`);
  const { name, object } = catalog;
  return { name, sentences: new Map(object.properties.map((member) => toSentence(file, member))) };
}

function withoutTypes(expression) {
  return expression.type === 'TSAsExpression' || expression.type === 'TSSatisfiesExpression'
    ? withoutTypes(expression.expression)
    : expression;
}

function toSentence(file, { key, value }) {
  const name = key?.name ?? key?.value;
  // JavaScript lists integer keys first, so the order of the sentences would change.
  const isNumber = /^\d+$/.test(name);
  if (typeof value?.value !== 'string' || isNumber)
    throw new Error(`${file}: ${name} must be a key with a string literal`);
  return [name, value.value];
}
