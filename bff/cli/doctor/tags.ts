// Finds the start tags of one element in a page's HTML, as far as an embedding is written.

/** Attributes by their name in lower case; of a name that stands twice the first, as in browsers. */
export type Tag = ReadonlyMap<string, string>;

/** Comments are left out. What a script of the page inserts is not seen. */
export function findTags(html: string, name: string): readonly Tag[] {
  const start = new RegExp(`<${name}(?=[\\s/>])((?:[^>"']|"[^"]*"|'[^']*')*)>`, 'gi');
  return [...withoutComments(html).matchAll(start)].map(([, text = '']) => toAttributes(text));
}

function withoutComments(html: string): string {
  return html.replaceAll(/<!--.*?(?:-->|$)/gs, '');
}

function toAttributes(text: string): Tag {
  const attributes = new Map<string, string>();
  const pattern = /([^\s"'>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;
  for (const [, name = '', double, single, bare] of text.matchAll(pattern)) {
    const value = double ?? single ?? bare ?? '';
    const key = name.toLowerCase();
    if (!attributes.has(key)) attributes.set(key, fromReferences(value).trim());
  }
  return attributes;
}

/** Those that templates write into addresses and policies. */
function fromReferences(text: string): string {
  return text
    .replaceAll(/&(?:#39|#x27|apos);/gi, "'")
    .replaceAll(/&(?:#34|#x22|quot);/gi, '"')
    .replaceAll(/&(?:#38|#x26|amp);/gi, '&');
}
