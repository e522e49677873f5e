// Finds exports of a package that have no comment in its declaration files.
import { ts } from '@custom-elements-manifest/analyzer';

/** The comment of `Error` itself applies. */
const inherited = new Set(['FundingError.name']);

/**
 * @param {string} entry a declaration file
 * @returns {string[]} the exports, and the members of exported classes and interfaces, that have no comment
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
    const members = [...(exported.members?.values() ?? [])].filter(
      ({ flags }) => flags & (ts.SymbolFlags.Property | ts.SymbolFlags.Method),
    );
    return [
      ...(isDocumented(exported) ? [] : [symbol.name]),
      ...members
        .filter((member) => !isDocumented(member))
        .map((member) => `${symbol.name}.${member.name}`)
        .filter((name) => !inherited.has(name)),
    ];
  });
}
