// Generates declaration files from the exports of an entry of the element, in one file that imports nothing: for the script that the
// BFF serves (`widget/index.ts`, which exports types only), and for the npm package (`widget/package/index.ts`).
import { join } from 'node:path';
import { ts } from '@custom-elements-manifest/analyzer';
export { ts };
import { format } from 'prettier';
import { root } from '../project.mjs';

const elementHeader = `// The types of <funding-application>. Generated from the element's source.\n`;

/** The entry of the script that the BFF serves. */
const widgetEntry = 'widget/index.ts';

/** The TypeScript program of the element's source. */
export function createWidgetProgram(entry = widgetEntry) {
  return createProgram(entry, { types: [] });
}

/** The analyzer has an earlier TypeScript than the project, which knows fewer options than tsconfig.json has. */
export function createProgram(entry, options) {
  return ts.createProgram([join(root, entry)], {
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
    module: ts.ModuleKind.NodeNext,
    allowImportingTsExtensions: true,
    resolveJsonModule: true,
    noEmit: true,
    strict: true,
    ...options,
  });
}

/** @returns the exported symbols of the entry, without aliases. */
export function readExports(program) {
  const checker = program.getTypeChecker();
  const index = program.getSourceFile(program.getRootFileNames()[0]);
  return checker.getExportsOfModule(checker.getSymbolAtLocation(index)).map((symbol) => {
    const exported = resolveAlias(checker, symbol);
    if (exported.declarations) return exported;
    throw new Error(`${index.fileName} exports ${symbol.name}, which does not exist.`);
  });
}

/**
 * @param {object} [options]
 * @param {boolean} [options.hasValues] if true, the file exports classes, functions, and constants, otherwise only types
 * @param {Readonly<Record<string, readonly string[]>>} [options.external] types that the file imports, by module
 * @param {string} [options.header] first line of the file
 * @param {(path: string) => string | undefined} [options.describe] the comment of a member whose source has none. A path is the name of
 *   a type, and the names of members, for example `Settings.consents[].id`
 * @returns {Promise<string>}
 */
export async function toDeclarationFile(program, options = {}) {
  const { external = {}, header = elementHeader } = options;
  const printer = createTypePrinter(program, options);
  const exported = readExports(program);
  for (const symbol of exported) printer.use(symbol);
  const declarations = [];
  // Printing a declaration adds the types that it refers to.
  for (const symbol of printer.used) declarations.push(printer.printDeclaration(symbol));
  const names = [...printer.used].map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated) throw new Error(`Two types are named ${repeated}. Rename one of them.`);
  const events = exported.filter(isEventClass);
  const imports = Object.entries(external).map(
    ([module, imported]) => `import type { ${imported.join(', ')} } from '${module}';`,
  );
  const globals = events.length > 0 ? [toGlobals(events, program)] : [];
  const text = [header, ...imports, ...declarations, ...globals].join('\n\n');
  return format(text, { parser: 'typescript', printWidth: 100, singleQuote: true });
}

/** The kinds of type nodes that refer to a value, or to a part of a type. */
const valueKinds = new Set(
  ['TypeQuery', 'IndexedAccessType', 'ImportType'].map((kind) => ts.SyntaxKind[kind]),
);

/**
 * Prints types as text without imports: types of the project by name, and everything that refers to a value or to a package
 * expanded.
 */
export function createTypePrinter(
  program,
  { hasValues = false, external = {}, describe = () => undefined } = {},
) {
  const externalNames = new Set(Object.values(external).flat());
  const checker = program.getTypeChecker();
  const used = new Set();
  const projectFiles = program.getSourceFiles().filter(isProjectFile);
  const named = readNamedTypes(checker, projectFiles);
  const lists = readStringLists(checker, projectFiles);
  /** The member that is being printed. */
  let path = '';

  function use(symbol) {
    used.add(symbol);
    return symbol.name;
  }

  function toSymbol(node) {
    return resolveAlias(checker, checker.getSymbolAtLocation(node));
  }

  /** Returns true if the text of a type node has the same meaning outside of its file. */
  function isPortable(node) {
    if (valueKinds.has(node.kind) || node.operator === ts.SyntaxKind.KeyOfKeyword) return false;
    if (ts.isTypeReferenceNode(node)) {
      const [declaration] = toSymbol(node.typeName).declarations;
      const file = declaration.getSourceFile();
      if (externalNames.has(node.typeName.getText()))
        return !node.typeArguments?.some((inner) => !isPortable(inner));
      if (!isProjectFile(file) && !program.isSourceFileDefaultLibrary(file)) return false;
    }
    return !ts.forEachChild(node, (inner) => !isPortable(inner));
  }

  function useReferences(node) {
    if (ts.isTypeReferenceNode(node)) {
      const symbol = toSymbol(node.typeName);
      const [declaration] = symbol.declarations;
      if (isProjectFile(declaration.getSourceFile()) && !ts.isTypeParameterDeclaration(declaration))
        use(symbol);
    }
    ts.forEachChild(node, useReferences);
  }

  function printTypeNode(node) {
    if (!isPortable(node)) return printType(checker.getTypeFromTypeNode(node));
    useReferences(node);
    return node.getText();
  }

  /** @param {{ isExpanded?: boolean }} [options] `isExpanded`: prints the members of a type that has a name. */
  function printType(type, { isExpanded = false } = {}) {
    const symbol = named.get(type);
    if (symbol && !isExpanded) return use(symbol);
    if (externalNames.has(type.symbol?.name)) return type.symbol.name;
    if (type.flags & ts.TypeFlags.Boolean) return 'boolean';
    if (type.isUnion()) return printUnion(type.types);
    if (type.isStringLiteral()) return `'${type.value}'`;
    if (checker.isArrayType(type)) {
      const [item] = checker.getTypeArguments(type);
      const prefix = type.symbol.name === 'ReadonlyArray' ? 'readonly ' : '';
      return `${prefix}(${within('[]', () => printType(item))})[]`;
    }
    const isAnonymous = Boolean(
      type.flags & ts.TypeFlags.Object &&
      type.getCallSignatures().length === 0 &&
      !type.symbol?.declarations?.some((one) =>
        program.isSourceFileDefaultLibrary(one.getSourceFile()),
      ),
    );
    if (isAnonymous) return `{\n${type.getProperties().map(printProperty).join('\n')}\n}`;
    return checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation);
  }

  /** String literals are in the order of the source: the compiler's own order changes with unrelated code. */
  function printUnion(types) {
    const values = types.filter((type) => type.isStringLiteral()).map(({ value }) => value);
    const ordered = lists.get(toKey(values)) ?? [...values].sort();
    const others = types.filter((type) => !type.isStringLiteral());
    const texts = others.map((type) =>
      type.flags & ts.TypeFlags.BooleanLiteral ? 'boolean' : printType(type),
    );
    const isAbsent = (text) => text === 'null' || text === 'undefined';
    const literals = ordered.map((value) => `'${value}'`);
    const present = texts.filter((text) => !isAbsent(text)).sort();
    return [...new Set([...literals, ...present, ...texts.filter(isAbsent).sort()])].join(' | ');
  }

  function within(member, print) {
    const before = path;
    path += member;
    try {
      return print();
    } finally {
      path = before;
    }
  }

  function printProperty(property) {
    return within(`.${property.name}`, () => {
      const comment = ts.displayPartsToString(property.getDocumentationComment(checker));
      const docs = toDocs(comment || (describe(path) ?? ''));
      const type = printType(checker.getTypeOfSymbol(property));
      return property.flags & ts.SymbolFlags.Optional
        ? `${docs}${property.name}?: ${type.replace(/ \| undefined$/, '')};`
        : `${docs}${property.name}: ${type};`;
    });
  }

  /** The type of a field, also of one whose type is inferred. */
  function printFieldType(member) {
    return member.type ? printTypeNode(member.type) : printType(checker.getTypeAtLocation(member));
  }

  function printMember(member) {
    const docs = toSourceDocs(member);
    const name = member.name.getText();
    const mark = member.questionToken ? '?' : '';
    if (ts.isMethodDeclaration(member) || ts.isMethodSignature(member)) {
      const parameters = member.parameters.map(printParameter).join(', ');
      return `${docs}${name}${mark}(${parameters}): ${printTypeNode(member.type)};`;
    }
    const readonly =
      ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Readonly ? 'readonly ' : '';
    return `${docs}${readonly}${name}${mark}: ${printFieldType(member)};`;
  }

  function printParameter({ name, type, questionToken, initializer }) {
    const mark = questionToken || initializer ? '?' : '';
    return `${ts.isIdentifier(name) ? name.text : 'options'}${mark}: ${printTypeNode(type)}`;
  }

  function printDeclaration(symbol) {
    path = symbol.name;
    const [declaration] = symbol.declarations;
    const { name } = symbol;
    const docs = ts.isClassDeclaration(declaration)
      ? toDocs(ts.displayPartsToString(symbol.getDocumentationComment(checker)))
      : toSourceDocs(declaration);
    const generics = declaration.typeParameters
      ? `<${declaration.typeParameters.map((one) => one.getText()).join(', ')}>`
      : '';
    if (ts.isClassDeclaration(declaration)) {
      const members = getPublicMembers(program, declaration).map(printMember);
      if (hasValues) return `${docs}${printClass(declaration, members)}`;
      return `${docs}export interface ${name} extends ${getBuiltInBase(program, declaration).symbol.name} {\n${members.join('\n')}\n}`;
    }
    if (ts.isInterfaceDeclaration(declaration)) {
      const members = declaration.members.map(printMember);
      return `${docs}export interface ${name}${generics} {\n${members.join('\n')}\n}`;
    }
    if (ts.isFunctionDeclaration(declaration)) {
      const parameters = declaration.parameters.map(printParameter).join(', ');
      return `${docs}export declare function ${name}${generics}(${parameters}): ${printTypeNode(declaration.type)};`;
    }
    if (ts.isVariableDeclaration(declaration))
      return `${toSourceDocs(declaration.parent.parent)}export declare const ${name}: ${printValueType(declaration)};`;
    if (isPortable(declaration.type))
      return `${docs}export type ${name}${generics} = ${printTypeNode(declaration.type)};`;
    const text = printType(checker.getTypeFromTypeNode(declaration.type), { isExpanded: true });
    const ownDocs = docs || toSchemaDocs(declaration.type);
    return text.startsWith('{')
      ? `${ownDocs}export interface ${name} ${text}`
      : `${ownDocs}export type ${name} = ${text};`;
  }

  function printClass(declaration, members) {
    const base = getBuiltInBase(program, declaration).symbol.name;
    const statics = declaration.members
      .filter((member) => ts.isPropertyDeclaration(member) && isOwnStatic(member))
      .map(
        (member) =>
          `/** The name of the event. */\nstatic readonly ${member.name.text}: ${member.initializer.getText()};`,
      );
    const constructors = declaration.members
      .filter((member) => ts.isConstructorDeclaration(member))
      .map(({ parameters }) => `constructor(${parameters.map(printParameter).join(', ')});`);
    const body = [...statics, ...members, ...constructors].join('\n');
    return `export declare class ${declaration.name.text} extends ${base} {\n${body}\n}`;
  }

  /** A list of strings is printed in the order of the source. */
  function printValueType(declaration) {
    if (declaration.type) return printTypeNode(declaration.type);
    const type = checker.getTypeAtLocation(declaration);
    if (!checker.isTupleType(type)) return printType(type);
    return `readonly [${checker
      .getTypeArguments(type)
      .map((item) => `'${item.value}'`)
      .join(', ')}]`;
  }

  /** The comment of the schema that a type is inferred from. */
  function toSchemaDocs(node) {
    const [argument] = node.typeArguments ?? [];
    if (!argument || !ts.isTypeQueryNode(argument)) return '';
    return toSourceDocs(toSymbol(argument.exprName).valueDeclaration.parent.parent);
  }

  return { program, used, use, printTypeNode, printFieldType, printDeclaration };
}

/**
 * The members of a class that a host page may use, without static ones. Overrides of Lit's callbacks are not, but overrides of
 * members that browsers have are, for example `focus`.
 */
export function getPublicMembers(program, declaration) {
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected | ts.ModifierFlags.Static;
  const base = getBuiltInBase(program, declaration);
  return declaration.members.filter((member) => {
    if (!ts.isPropertyDeclaration(member) && !ts.isMethodDeclaration(member)) return false;
    const flags = ts.getCombinedModifierFlags(member);
    if (ts.isPrivateIdentifier(member.name) || flags & hidden) return false;
    return !(flags & ts.ModifierFlags.Override) || Boolean(base.getProperty(member.name.text));
  });
}

/** A static member of the class itself: the name of an event. Lit's static members are overrides. */
function isOwnStatic(member) {
  const flags = ts.getCombinedModifierFlags(member);
  return Boolean(flags & ts.ModifierFlags.Static) && !(flags & ts.ModifierFlags.Override);
}

/** @returns the value of an event class's `eventName`, or undefined for other classes. */
export function toEventName(symbol) {
  const { members = [] } = symbol.valueDeclaration ?? {};
  return [...members].find((member) => member.name?.getText() === 'eventName')?.initializer.text;
}

function isEventClass(symbol) {
  return toEventName(symbol) !== undefined;
}

function toGlobals(events, program) {
  const checker = program.getTypeChecker();
  const members = events.map((symbol) => {
    const docs = toDocs(ts.displayPartsToString(symbol.getDocumentationComment(checker)));
    return `${docs}'${toEventName(symbol)}': ${symbol.name};`;
  });
  return `/** The events of the element by name. */
export interface FundingEventMap {
  ${members.join('\n')}
}

/** The element by its tag name. */
export interface FundingTagNameMap {
  /** The class of the element. */
  'funding-application': FundingApplication;
}

declare global {
  // Inherited members do not conflict with a program that declares the same names.
  interface HTMLElementTagNameMap extends FundingTagNameMap {}
  interface HTMLElementEventMap extends FundingEventMap {}
  interface DocumentEventMap extends FundingEventMap {}
}
`;
}

function resolveAlias(checker, symbol) {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function isProjectFile({ fileName }) {
  return !fileName.includes('/node_modules/');
}

/** The type of the nearest base class that browsers have. */
export function getBuiltInBase(program, declaration) {
  const checker = program.getTypeChecker();
  const [base] = checker.getBaseTypes(checker.getTypeAtLocation(declaration));
  const [baseDeclaration] = base.symbol.declarations;
  return program.isSourceFileDefaultLibrary(baseDeclaration.getSourceFile())
    ? base
    : getBuiltInBase(program, baseDeclaration);
}

/** The exported types of the project, so that a type that contains one refers to it by name. */
function readNamedTypes(checker, files) {
  const types = new Map();
  for (const file of files) {
    for (const statement of file.statements) {
      const isType = ts.isTypeAliasDeclaration(statement) || ts.isInterfaceDeclaration(statement);
      if (!isType || statement.typeParameters || !isExported(statement)) continue;
      const type = checker.getTypeAtLocation(statement);
      const symbol = checker.getSymbolAtLocation(statement.name);
      const isNamed = type.flags & ts.TypeFlags.Object || type.aliasSymbol === symbol;
      if (isNamed && !types.has(type)) types.set(type, symbol);
    }
  }
  return types;
}

function isExported(statement) {
  return Boolean(ts.getCombinedModifierFlags(statement) & ts.ModifierFlags.Export);
}

/** Constant lists of strings in the source, by their sorted values. A list may contain another one. */
function readStringLists(checker, files) {
  const lists = new Map();
  const visit = (node) => {
    const type = ts.isArrayLiteralExpression(node) && checker.getTypeAtLocation(node);
    const items = type && checker.isTupleType(type) ? checker.getTypeArguments(type) : [];
    if (items.length > 0 && items.every((item) => item.isStringLiteral())) {
      const values = items.map(({ value }) => value);
      lists.set(toKey(values), values);
    }
    ts.forEachChild(node, visit);
  };
  for (const file of files) visit(file);
  return lists;
}

function toKey(values) {
  return [...values].sort().join('|');
}

function toSourceDocs(node) {
  const comment = node.jsDoc?.at(-1);
  return comment ? `${comment.getText()}\n` : '';
}

function toDocs(text) {
  if (text === '') return '';
  return text.includes('\n')
    ? `/**\n * ${text.replaceAll('\n', '\n * ')}\n */\n`
    : `/** ${text} */\n`;
}
