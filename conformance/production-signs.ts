// Signs in a URL that it belongs to production.

const signs: ReadonlySet<string> = new Set(['prod', 'production', 'prd', 'live']);

/** Returns the word of the host or the path that is a sign of production: `prod` in `api-prod.example.com`. */
export function findProductionSign(url: string): string | undefined {
  const { hostname, pathname } = new URL(url);
  const words = `${hostname}${pathname}`.toLowerCase().split(/[^a-z]+/);
  // `non-prod` and `preprod` are staging environments.
  return words.find((word, index) => signs.has(word) && words[index - 1] !== 'non');
}
