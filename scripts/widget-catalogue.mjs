// Vite plugin: a translated catalogue travels without its keys, as sentences in the order of the English one, which is there anyway.
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseSync, Visitor } from 'vite';

/** @returns {import('vite').Plugin} */
export function widgetCatalogue() {
  return {
    name: 'widget-catalogue',
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

/** The translation as a module that takes its keys from the English one; fails when the two do not say the same. */
export function withoutKeys(english, translated) {
  const from = readCatalogue(english);
  const to = readCatalogue(translated);
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
    ...[...to.keys()].filter((key) => !from.has(key)).map((key) => `${key} is too much`),
    ...[...from]
      .filter(([key, sentence]) => to.has(key) && listNames(sentence) !== listNames(to.get(key)))
      .map(([key]) => `${key} does not put in the same values`),
  ];
}

/** What is put into a sentence, in one order and each once. */
function listNames(sentence) {
  return [...new Set(sentence.match(/\{\w+\}/g))].toSorted().join();
}

/** The one object of sentences that the module exports. */
function readCatalogue({ file, source }) {
  const found = [];
  const visitor = new Visitor({
    ExportNamedDeclaration({ declaration }) {
      for (const { id, init } of declaration?.declarations ?? []) {
        found.push({ name: id.name, object: withoutTypes(init) });
      }
    },
  });
  visitor.visit(parseSync(file, source).program);
  const [catalogue, ...others] = found;
  if (others.length > 0 || catalogue?.object.type !== 'ObjectExpression')
    throw new Error(`${file} has to export one object of sentences and nothing else`);
  const { name, object } = catalogue;
  return { name, sentences: new Map(object.properties.map((member) => toSentence(file, member))) };
}

function withoutTypes(expression) {
  return expression.type === 'TSAsExpression' || expression.type === 'TSSatisfiesExpression'
    ? withoutTypes(expression.expression)
    : expression;
}

function toSentence(file, { key, value }) {
  const name = key?.name ?? key?.value;
  // An object lists such keys first, whatever their place, and the sentences would move.
  const isNumber = /^\d+$/.test(name);
  if (typeof value?.value !== 'string' || isNumber)
    throw new Error(`${file}: ${name} has to be a key with its sentence, written out`);
  return [name, value.value];
}
