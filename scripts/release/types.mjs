// Generates declaration files from the exports of an entry of the element, in one file that imports nothing: for the script that the
// BFF serves (`widget/index.ts`, which exports types only), and for the npm package (`widget/package/index.ts`).
import { join } from 'node:path';
import { ts } from '@custom-elements-manifest/analyzer';
export { ts };
import { format } from 'prettier';
import { root } from '../project.mjs';

const elementHeader = `// The types of <funding-application>. Generated from the element's source.\n`;

/**
 * The analyzer has an earlier TypeScript than the project, which knows fewer options than tsconfig.json has.
 *
 * @param {string} [entry] by default, that of the script that the BFF serves
 */
export function createProgram(entry = 'widget/index.ts', options = {}) {
  return ts.createProgram([join(root, entry)], {
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
    module: ts.ModuleKind.NodeNext,
    allowImportingTsExtensions: true,
    resolveJsonModule: true,
    noEmit: true,
    strict: true,
    types: [],
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
  const events = exported.filter(toEventName);
  const imports = Object.entries(external).map(
    ([module, imported]) => `import type { ${imported.join(', ')} } from '${module}';`,
  );
  const globals = events.length > 0 ? [toGlobals(events, program)] : [];
  const text = [header, ...imports, ...declarations, ...globals].join('\n\n');
  return format(text, { parser: 'typescript', printWidth: 100, singleQuote: true });
}

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
    const isOfValue =
      ts.isTypeQueryNode(node) || ts.isIndexedAccessTypeNode(node) || ts.isImportTypeNode(node);
    if (isOfValue || node.operator === ts.SyntaxKind.KeyOfKeyword) return false;
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
    if (checker.isTupleType(type))
      return `readonly [${checker
        .getTypeArguments(type)
        .map((item) => printType(item))
        .join(', ')}]`;
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

  /** The type of a field or constant, also of one whose type is inferred. */
  function printFieldType(member) {
    return member.type ? printTypeNode(member.type) : printType(checker.getTypeAtLocation(member));
  }

  function printMember(member) {
    const docs = toSourceDocs(member);
    if (ts.isConstructorDeclaration(member)) return `constructor${printSignature(member)};`;
    const name = `${member.name.getText()}${member.questionToken ? '?' : ''}`;
    if (ts.isMethodDeclaration(member) || ts.isMethodSignature(member))
      return `${docs}${name}${printSignature(member)};`;
    const readonly =
      ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Readonly ? 'readonly ' : '';
    return `${docs}${readonly}${name}: ${printFieldType(member)};`;
  }

  function printSignature({ parameters, type }) {
    const list = parameters.map(printParameter).join(', ');
    return type ? `(${list}): ${printTypeNode(type)}` : `(${list})`;
  }

  function printParameter({ name, type, questionToken, initializer }) {
    const mark = questionToken || initializer ? '?' : '';
    return `${ts.isIdentifier(name) ? name.text : 'options'}${mark}: ${printTypeNode(type)}`;
  }

  function printDeclaration(symbol) {
    const { name } = symbol;
    path = name;
    const [declaration] = symbol.declarations;
    const docs = toSourceDocs(declaration);
    const generics = declaration.typeParameters
      ? `<${declaration.typeParameters.map((one) => one.getText()).join(', ')}>`
      : '';
    if (ts.isClassDeclaration(declaration)) return printClass(symbol, declaration);
    if (ts.isInterfaceDeclaration(declaration))
      return `${docs}export interface ${name}${generics} ${printBody(declaration.members)}`;
    if (ts.isFunctionDeclaration(declaration))
      return `${docs}export declare function ${name}${generics}${printSignature(declaration)};`;
    if (ts.isVariableDeclaration(declaration))
      return `${toSourceDocs(declaration.parent.parent)}export declare const ${name}: ${printFieldType(declaration)};`;
    if (isPortable(declaration.type))
      return `${docs}export type ${name}${generics} = ${printTypeNode(declaration.type)};`;
    const text = printType(checker.getTypeFromTypeNode(declaration.type), { isExpanded: true });
    const ownDocs = docs || toSchemaDocs(declaration.type);
    return text.startsWith('{')
      ? `${ownDocs}export interface ${name} ${text}`
      : `${ownDocs}export type ${name} = ${text};`;
  }

  function printBody(members, start = '') {
    return `{${start}\n${members.map(printMember).join('\n')}\n}`;
  }

  /** Without tags: those of the element are for the manifest. */
  function printClass(symbol, declaration) {
    const docs = toDocs(ts.displayPartsToString(symbol.getDocumentationComment(checker)));
    const header = `${symbol.name} extends ${getBuiltInBase(program, declaration).symbol.name}`;
    const members = getPublicMembers(program, declaration);
    if (!hasValues) return `${docs}export interface ${header} ${printBody(members)}`;
    const constructors = declaration.members.filter(ts.isConstructorDeclaration);
    const eventName = toEventName(symbol);
    const start = eventName
      ? `\n/** The name of the event. */\nstatic readonly eventName: '${eventName}';`
      : '';
    return `${docs}export declare class ${header} ${printBody([...members, ...constructors], start)}`;
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

/** @returns the value of an event class's `eventName`, or undefined for other classes. */
export function toEventName(symbol) {
  const { members = [] } = symbol.valueDeclaration ?? {};
  return [...members].find((member) => member.name?.getText() === 'eventName')?.initializer.text;
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
      if (!isType || statement.typeParameters) continue;
      if (!(ts.getCombinedModifierFlags(statement) & ts.ModifierFlags.Export)) continue;
      const type = checker.getTypeAtLocation(statement);
      const symbol = checker.getSymbolAtLocation(statement.name);
      const isNamed = type.flags & ts.TypeFlags.Object || type.aliasSymbol === symbol;
      if (isNamed && !types.has(type)) types.set(type, symbol);
    }
  }
  return types;
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
