// `custom-elements.json` (https://custom-elements-manifest.open-wc.org) and docs/reference/element.md, both from the comments in the
// element's source.
//   node scripts/release/custom-elements.mjs      writes the document; a test fails when the committed file is out of date
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { create, ts } from '@custom-elements-manifest/analyzer';
import { litPlugin } from '@custom-elements-manifest/analyzer/src/features/framework-plugins/lit/lit.js';
import { format } from 'prettier';
import { root } from '../project.mjs';
import {
  createTypePrinter,
  createWidgetProgram,
  getBuiltInBase,
  getPublicMembers,
  readExports,
  toEventName,
} from './types.mjs';

const module = 'index.js';
const kind = 'javascript-module';
const tagName = 'funding-application';

/**
 * The modules of the npm package: one declares the classes, the other one registers the element.
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
      ...(analyzed.customElement && value !== undefined ? { default: value } : {}),
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
    ...(parameter.initializer || parameter.questionToken ? { optional: true } : {}),
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
      ...(returns ? { description: toLine(returns) } : {}),
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
    const initial = value === undefined ? {} : { default: value };
    return { name, fieldName, type, description, ...initial };
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
export async function toElementReference(program = createWidgetProgram()) {
  const printer = createTypePrinter(program);
  const [{ declarations }] = toCustomElementsManifest(program, printer).modules;
  const element = findElement(declarations);
  const error = declarations.find(({ name }) => name === 'FundingError');
  const isProperty = (member) => member.kind === 'field' && !member.attribute;
  const types = toTypes(printer, declarations);
  const sections = [
    '# Reference of the element',
    '<!-- Generated by `npm run docs` from the comments in widget/. Do not edit. -->',
    `${element.description} [Embed](../embed/index.md) explains how to use it. The built \`custom-elements.json\` and
\`funding-application.d.ts\` contain the same for editors and compilers.`,
    '## Attributes',
    ...element.attributes.map(toEntry),
    '## Properties',
    'Each attribute above has a property. These properties have no attribute.',
    ...element.members.filter(isProperty).map(toEntry),
    '## Methods',
    ...element.members.filter(({ kind }) => kind === 'method').map(toMethodSection),
    `### \`${error.name}\`\n\n${error.description}`,
    toFields(error.members.filter(({ description }) => description !== '')),
    '## Events',
    `All events bubble and leave the shadow root. Their values are fields of the event itself, not of \`detail\`. No event
contains an answer of the applicant.`,
    ...element.events.map(({ name, type, description }) => {
      const { members } = declarations.find((declaration) => declaration.name === type.text);
      return `### \`${name}\`\n\n${description}\n\n- Class: \`${type.text}\`\n${toFields(members)}`;
    }),
    '## Slots',
    toList(element.slots.map(({ name, description }) => [name || 'default', description])),
    '## Parts',
    'Style them with `::part()`.',
    toList(element.cssParts.map(({ name, description }) => [name, description])),
    '## Custom properties',
    toList(
      element.cssProperties.map(({ name, description, default: value }) => [
        name,
        `${description} Default: \`${value}\`.`,
      ]),
    ),
    '## Types',
    `\`funding-application.d.ts\` also contains the types of the requests and responses of \`FundingApi\`, and \`MessageKey\`,
the union of all keys of \`messages\`.`,
    ...types.map(([name, text]) => `### \`${name}\`\n\n\`\`\`ts\n${text}\n\`\`\``),
  ];
  const names = types.map(([name]) => name);
  return format(withLinks(sections.join('\n\n'), names), {
    parser: 'markdown',
    printWidth: 100,
    singleQuote: true,
    proseWrap: 'always',
  });
}

function toEntry({ name, fieldName, type, default: value, description }) {
  const facts = [
    ['Property', fieldName],
    ['Type', type.text],
    ['Default', value],
  ];
  const lines = facts.filter(([, text]) => text !== undefined);
  return `### \`${name}\`\n\n${lines.map(([label, text]) => `- ${label}: \`${text}\``).join('\n')}\n\n${description}`;
}

function toMethodSection({ name, parameters, description, return: { type, description: text } }) {
  const names = parameters.map(({ name, optional }) => `${name}${optional ? '?' : ''}`);
  const result = text ? `\n- Returns \`${type.text}\`: ${text}` : '';
  return `### \`${name}(${names.join(', ')})\`\n\n${description}\n\n${toFields(parameters)}${result}`;
}

function toFields(members) {
  return members
    .map(({ name, type, description }) => `- \`${name}\` (\`${type.text}\`): ${description}`)
    .join('\n');
}

function toList(entries) {
  return entries.map(([name, description]) => `- \`${name}\`: ${description}`).join('\n');
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

/** Links the name of a type to its section, outside of code blocks. */
function withLinks(text, names) {
  const pattern = new RegExp(`\\b(?:${names.join('|')})\\b`);
  const link = (code) => {
    const [name] = pattern.exec(code) ?? [];
    return name ? `[${code}](#${name.toLowerCase()})` : code;
  };
  const parts = text.split('```');
  return parts
    .map((part, index) =>
      index % 2 === 1 ? part : part.replaceAll(/(?<=\()`[^`]+`(?=\))|(?<=: )`[^`]+`$/gm, link),
    )
    .join('```');
}

if (import.meta.main) writeFileSync(referenceFile, await toElementReference());
