// Generates `custom-elements.json` (https://custom-elements-manifest.open-wc.org) from the comments in the element's source.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { create, ts } from '@custom-elements-manifest/analyzer';
import { litPlugin } from '@custom-elements-manifest/analyzer/src/features/framework-plugins/lit/lit.js';
import { root } from './project.mjs';
import { getBuiltInBase, getPublicMembers, readExports, toEventName } from './widget-types.mjs';

const module = 'funding-application.js';
const tagName = 'funding-application';

/** @param printer prints types. Afterwards, its `used` contains the types that the manifest refers to. */
export function toCustomElementsManifest(program, printer) {
  const classes = readExports(program).filter(
    ({ valueDeclaration }) => valueDeclaration && ts.isClassDeclaration(valueDeclaration),
  );
  const files = new Set(classes.map(({ valueDeclaration }) => valueDeclaration.getSourceFile()));
  const { modules } = create({ modules: [...files].map(parse), plugins: litPlugin() });
  const analyzed = modules.flatMap(({ declarations }) => declarations);
  const declarations = classes.map((symbol) =>
    toDeclaration(
      analyzed.find(({ name }) => name === symbol.name),
      symbol,
      printer,
    ),
  );
  const element = declarations.find(({ customElement }) => customElement);
  const reference = { name: element.name, module };
  return {
    schemaVersion: '1.0.0',
    readme: '',
    modules: [
      {
        kind: 'javascript-module',
        path: module,
        declarations: declarations.map((declaration) =>
          declaration === element ? completeElement(element, classes, declarations) : declaration,
        ),
        exports: [{ kind: 'custom-element-definition', name: tagName, declaration: reference }],
      },
    ],
  };
}

function parse({ fileName, text }) {
  return ts.createSourceFile(basename(fileName), text, ts.ScriptTarget.ES2022, true);
}

/** The class as the host page sees it: public members only, with the types that the declaration file has. */
function toDeclaration(analyzed, { valueDeclaration }, printer) {
  const members = getPublicMembers(printer.program, valueDeclaration).map((node) => {
    const found = analyzed.members.find(({ name }) => name === node.name.text);
    return ts.isMethodDeclaration(node)
      ? toMethod(found, node, printer)
      : toField(found, node, printer, Boolean(analyzed.customElement));
  });
  return {
    ...analyzed,
    description: toLine(analyzed.description),
    superclass: { name: getBuiltInBase(printer.program, valueDeclaration).symbol.name },
    members,
  };
}

function toField(field, node, printer, hasDefaults) {
  const { default: value, ...rest } = field;
  return {
    ...rest,
    privacy: 'public',
    type: { text: toLine(printer.printFieldType(node)) },
    description: toLine(field.description),
    // A constructor of an event copies its parameters, which are no defaults.
    ...(hasDefaults && value !== undefined ? { default: value } : {}),
  };
}

function toMethod({ kind, name, description }, node, printer) {
  const throws = ts.getJSDocTags(node).find(ts.isJSDocThrowsTag);
  const verb = node.type.getText().startsWith('Promise') ? 'Rejects with' : 'Throws';
  const error = throws
    ? ` ${verb} a \`${throws.typeExpression.type.getText()}\` ${ts.getTextOfJSDocComment(throws.comment)}`
    : '';
  const parameters = node.parameters.map((parameter, index) => {
    // A destructured parameter has no name, except in the comment.
    const comment = ts.getJSDocTags(node).filter(ts.isJSDocParameterTag)[index];
    return {
      name: comment.name.getText(),
      type: { text: toLine(parameter.type.getText()) },
      description: toLine(ts.getTextOfJSDocComment(comment.comment)),
      ...(parameter.initializer || parameter.questionToken ? { optional: true } : {}),
    };
  });
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
    const {
      type,
      description,
      default: value,
    } = element.members.find((member) => member.name === fieldName);
    return {
      name,
      fieldName,
      type,
      description,
      ...(value === undefined ? {} : { default: value }),
    };
  });
  return {
    ...element,
    tagName,
    attributes,
    events,
    cssProperties: readCssProperties(),
  };
}

/** The documented custom properties, with the defaults that the sheet has. */
export function readCssProperties() {
  const source = readFileSync(join(root, 'widget', 'styles', 'tokens.styles.ts'), 'utf8');
  const documented = source.matchAll(/@cssproperty (--[\w-]+) - (.+)/g);
  return [...documented].map(([, name, description]) => ({
    name,
    description,
    default: readDefault(source, name),
  }));
}

/** The fallback of `var(--funding-…, fallback)`, in which public names replace private ones. */
function readDefault(source, name) {
  const start = new RegExp(`var\\(\\s*${name},`).exec(source);
  if (!start) throw new Error(`${name} is documented, but no sheet uses it. Remove its comment.`);
  const rest = source.slice(start.index + start[0].length);
  let depth = 0;
  const end = [...rest].findIndex((character) => {
    depth += character === '(' ? 1 : character === ')' ? -1 : 0;
    return depth < 0;
  });
  return toLine(rest.slice(0, end)).replaceAll(/--_[\w-]+/g, (internal) => {
    const [, publicName] =
      new RegExp(`${internal}:\\s*(?:max\\([^,]+,\\s*)?var\\(\\s*(--funding-[\\w-]+)`).exec(
        source,
      ) ?? [];
    if (!publicName)
      throw new Error(`The default of ${name} refers to ${internal}, which has no public name.`);
    return publicName;
  });
}

function toLine(text = '') {
  return text.replaceAll(/\s+/g, ' ').trim();
}
