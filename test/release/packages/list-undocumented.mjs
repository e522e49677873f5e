// Finds exports of a package, and members of their types, that have no comment in its declaration files.
import { ts } from '../../../scripts/release/types.mjs';

/** The comment of `Error` itself applies. */
const inherited = new Set(['FundingError.name']);

/**
 * @param {string} entry a declaration file
 * @returns {string[]} the exports, and the members of their types at every depth, that have no comment, for example
 *   `Settings.consents.id`
 */
export function listUndocumented(entry) {
  const program = ts.createProgram([entry], {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: [],
  });
  const checker = program.getTypeChecker();
  const module = checker.getSymbolAtLocation(program.getSourceFile(entry));
  const isDocumented = (symbol) => symbol.getDocumentationComment(checker).length > 0;
  return checker.getExportsOfModule(module).flatMap((symbol) => {
    const exported =
      symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const found = isDocumented(exported) ? [] : [symbol.name];
    const visit = (node, path) => {
      // The comment of the method describes the members of its options.
      if (ts.isParameter(node) && ts.getJSDocParameterTags(node).length > 0) return;
      const member = ts.isPropertySignature(node) || ts.isMethodSignature(node);
      const isMember = member || ts.isPropertyDeclaration(node) || ts.isMethodDeclaration(node);
      const ownPath = isMember ? `${path}.${node.name.getText()}` : path;
      if (isMember && !isDocumented(checker.getSymbolAtLocation(node.name))) found.push(ownPath);
      ts.forEachChild(node, (child) => visit(child, ownPath));
    };
    for (const declaration of exported.declarations ?? []) visit(declaration, symbol.name);
    return found.filter((name) => !inherited.has(name));
  });
}
