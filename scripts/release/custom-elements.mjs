// `custom-elements.json` (https://custom-elements-manifest.open-wc.org) and docs/reference/element.md, both from the comments in the
// element's source.
//   node scripts/release/custom-elements.mjs      writes the document; a test fails when the committed file is out of date
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { create, ts } from '@custom-elements-manifest/analyzer';
import { litPlugin } from '@custom-elements-manifest/analyzer/src/features/framework-plugins/lit/lit.js';
import { root } from '../project.mjs';
import { fillParts, toCode, toFacts, toList, toTerms } from '../references/markdown.ts';
import {
  createTypePrinter,
  createProgram,
  getBuiltInBase,
  getPublicMembers,
  readExports,
  toEventName,
} from './types.mjs';

const module = 'index.js';
const kind = 'javascript-module';
const tagName = 'funding-application';

/**
 * The modules of the npm package: one declares the classes, the other one registers the element. JSON leaves out `undefined`.
 *
 * @param printer prints types. Afterwards, its `used` contains the types that the manifest refers to.
 */
export function toCustomElementsManifest(program, printer) {
  const classes = readExports(program).filter(
    ({ valueDeclaration }) => valueDeclaration && ts.isClassDeclaration(valueDeclaration),
  );
  const files = new Set(classes.map(({ valueDeclaration }) => valueDeclaration.getSourceFile()));
  const { modules } = create({ modules: [...files].map(parse), plugins: litPlugin() });
  const analyzed = modules.flatMap(({ declarations }) => declarations);
  const all = classes.map((symbol) =>
    toDeclaration(
      analyzed.find(({ name }) => name === symbol.name),
      symbol,
      printer,
    ),
  );
  const declarations = all.map((declaration) =>
    declaration.customElement ? completeElement(declaration, classes, all) : declaration,
  );
  const { name } = findElement(declarations);
  const exports = declarations.map(({ name }) => ({
    kind: 'js',
    name,
    declaration: { name, module },
  }));
  const definition = {
    kind: 'custom-element-definition',
    name: tagName,
    declaration: { name, module },
  };
  return {
    schemaVersion: '1.0.0',
    readme: '',
    modules: [
      { kind, path: module, declarations, exports },
      { kind, path: 'define.js', declarations: [], exports: [definition] },
    ],
  };
}

/** @returns the declaration of the element. */
export function findElement(declarations) {
  return declarations.find(({ customElement }) => customElement);
}

function parse({ fileName, text }) {
  return ts.createSourceFile(basename(fileName), text, ts.ScriptTarget.ES2022, true);
}

/** The class as the host page sees it: public members only, with the types that the declaration file has. */
function toDeclaration(analyzed, { valueDeclaration }, printer) {
  const members = getPublicMembers(printer.program, valueDeclaration).map((node) => {
    const found = analyzed.members.find(({ name }) => name === node.name.text);
    if (ts.isMethodDeclaration(node)) return toMethod(found, node, printer);
    const { default: value, ...field } = found;
    return {
      ...field,
      privacy: 'public',
      type: { text: toLine(printer.printFieldType(node)) },
      description: toLine(field.description),
      // A constructor of an event copies its parameters, which are no defaults.
      default: analyzed.customElement ? value : undefined,
    };
  });
  return {
    ...analyzed,
    description: toLine(analyzed.description),
    superclass: { name: getBuiltInBase(printer.program, valueDeclaration).symbol.name },
    members,
  };
}

function toMethod({ kind, name, description }, node, printer) {
  const throws = ts.getJSDocTags(node).find(ts.isJSDocThrowsTag);
  const verb = node.type.getText().startsWith('Promise') ? 'Rejects with' : 'Throws';
  const error = throws
    ? ` ${verb} a \`${throws.typeExpression.type.getText()}\` ${ts.getTextOfJSDocComment(throws.comment)}`
    : '';
  // A destructured parameter has no name, except in the comment.
  const comments = ts.getJSDocTags(node).filter(ts.isJSDocParameterTag);
  const parameters = node.parameters.map((parameter, index) => ({
    name: comments[index].name.getText(),
    type: { text: toLine(parameter.type.getText()) },
    description: toLine(ts.getTextOfJSDocComment(comments[index].comment)),
    optional: parameter.initializer || parameter.questionToken ? true : undefined,
  }));
  const returns = ts.getTextOfJSDocComment(ts.getJSDocReturnTag(node)?.comment);
  return {
    kind,
    name,
    privacy: 'public',
    description: toLine(description + error),
    parameters,
    return: {
      type: { text: printer.printTypeNode(node.type) },
      description: returns && toLine(returns),
    },
  };
}

function completeElement(element, classes, declarations) {
  const events = classes.filter(toEventName).map((symbol) => ({
    name: toEventName(symbol),
    type: { text: symbol.name },
    description: declarations.find(({ name }) => name === symbol.name).description,
  }));
  const attributes = element.attributes.map(({ fieldName, name }) => {
    const member = element.members.find((member) => member.name === fieldName);
    const { type, description, default: value } = member;
    return { name, fieldName, type, description, default: value };
  });
  return { ...element, tagName, attributes, events, cssProperties: readCssProperties() };
}

/** The documented custom properties, with the defaults that the sheet has. */
function readCssProperties() {
  const source = readFileSync(join(root, 'widget', 'styles', 'tokens.styles.ts'), 'utf8');
  /** The rest of the parentheses that `start` begins. */
  const readInner = (start) => {
    const found = new RegExp(`${start}((?:[^()]|\\((?:[^()]|\\([^()]*\\))*\\))*)\\)`).exec(source);
    if (!found) throw new Error(`A comment refers to ${start}, which no sheet uses. Correct it.`);
    return toLine(found[1]);
  };
  const documented = source.matchAll(/@cssproperty (--[\w-]+) - (.+)/g);
  return [...documented].map(([, name, description]) => ({
    name,
    description,
    // The name of a private property becomes that of the public one that sets it.
    default: readInner(`var\\(\\s*${name},`).replaceAll(
      /--_[\w-]+/g,
      (inner) => readInner(`${inner}:[^;]*?var\\(\\s*(?=--funding)`).split(',')[0],
    ),
  }));
}

function toLine(text = '') {
  return text.replaceAll(/\s+/g, ' ').trim();
}

export const referenceFile = join(root, 'docs', 'reference', 'element.md');

/** @returns {Promise<string>} the text of docs/reference/element.md. */
export async function toElementReference(program = createProgram()) {
  const printer = createTypePrinter(program);
  const [{ declarations }] = toCustomElementsManifest(program, printer).modules;
  const element = findElement(declarations);
  const types = toTypes(printer, declarations);
  const typeNames = new RegExp(`\\b(?:${types.map(([name]) => name).join('|')})\\b`);

  const findDeclaration = (name) => declarations.find((declaration) => declaration.name === name);
  const toType = ({ text }) => {
    const [name] = typeNames.exec(text) ?? [];
    return name ? `[${toCode(text)}](#${name.toLowerCase()})` : toCode(text);
  };
  const toField = ({ name, type, description }) =>
    `${toCode(name)} (${toType(type)}): ${description}`;
  const toEntry = ({ name, fieldName, type, default: value, description }) => [
    `### ${toCode(name)}`,
    toFacts([
      ['Property', fieldName && toCode(fieldName)],
      ['Type', toType(type)],
      ['Default', value && toCode(value)],
    ]),
    description,
  ];
  const toMethodEntry = ({
    name,
    parameters,
    description,
    return: { type, description: text },
  }) => {
    const names = parameters.map(({ name, optional }) => `${name}${optional ? '?' : ''}`);
    const result = text ? [`Returns ${toCode(type.text)}: ${text}`] : [];
    const facts = toList([...parameters.map(toField), ...result]);
    return [`### ${toCode(`${name}(${names.join(', ')})`)}`, description, facts];
  };

  const error = findDeclaration('FundingError');
  const nameAndText = ({ name, description }) => [name || 'default', description];
  return fillParts(readFileSync(referenceFile, 'utf8'), {
    element: [element.description],
    attributes: element.attributes.flatMap(toEntry),
    properties: element.members
      .filter((member) => member.kind === 'field' && !member.attribute)
      .flatMap(toEntry),
    methods: [
      ...element.members.filter(({ kind }) => kind === 'method').flatMap(toMethodEntry),
      `### ${toCode(error.name)}`,
      error.description,
      toList(error.members.filter(({ description }) => description !== '').map(toField)),
    ],
    events: element.events.flatMap(({ name, type, description }) => [
      `### ${toCode(name)}`,
      description,
      toList([`Class: ${toType(type)}`, ...findDeclaration(type.text).members.map(toField)]),
    ]),
    slots: [toTerms(element.slots.map(nameAndText))],
    parts: [toTerms(element.cssParts.map(nameAndText))],
    'custom-properties': [
      toTerms(
        element.cssProperties.map(({ name, description, default: value }) => [
          name,
          `${description} Default: ${toCode(value)}.`,
        ]),
      ),
    ],
    types: types.flatMap(([name, text]) => [`### ${toCode(name)}`, `\`\`\`ts\n${text}\n\`\`\``]),
  });
}

/** The types that the manifest refers to, and the types that these refer to, by name. */
function toTypes(printer, declarations) {
  const types = [];
  for (const symbol of printer.used) {
    const { name } = symbol;
    if (name === 'MessageKey' || declarations.some((one) => one.name === name)) continue;
    // The types of requests and responses are for a custom transport only, so the document does not contain them.
    const own = name === 'FundingApi' ? createTypePrinter(printer.program) : printer;
    types.push([name, own.printDeclaration(symbol).replaceAll('export ', '')]);
  }
  return types;
}

if (import.meta.main) writeFileSync(referenceFile, await toElementReference());
