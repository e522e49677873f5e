// Walks through the XML of an office document's part, as far as it has to be understood: its tags with their attributes, and its texts.

export interface XmlTag {
  /** Without its prefix. */
  readonly name: string;
  /** By their names with prefix, as far as they have one; entities undone. */
  readonly attributes: ReadonlyMap<string, string>;
}

export interface XmlVisitor {
  open(tag: XmlTag): void;
  /** Also of an element without content. Without its prefix. */
  close?(name: string): void;
  /** Entities undone; a text may come in several pieces. */
  text?(text: string): void;
}

const namePattern = /[^\s/>="'<]+/y;
const attributePattern = /\s+([^\s/>="'<]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
const endPattern = /\s*(\/?)>/y;

/** What is passed over, by how it begins and ends. */
const passedOver = [
  ['<!--', '-->'],
  ['<?', '?>'],
] as const;
const cdata = ['<![CDATA[', ']]>'] as const;

/** Whether it could be read: `false` where readers may disagree, and for a document type, whose entities stand for anything. */
export function walkXml(xml: string, visitor: XmlVisitor): boolean {
  let at = 0;
  while (at < xml.length) {
    if (xml[at] !== '<') {
      const end = xml.indexOf('<', at);
      visitor.text?.(decode(xml.slice(at, end === -1 ? xml.length : end)));
      at = end === -1 ? xml.length : end;
      continue;
    }
    const passed = passedOver.find(([beginning]) => xml.startsWith(beginning, at));
    if (passed) at = findEnd(xml, passed[1], at + passed[0].length);
    else if (xml.startsWith(cdata[0], at)) {
      const end = findEnd(xml, cdata[1], at);
      visitor.text?.(xml.slice(at + cdata[0].length, Math.max(at, end - cdata[1].length)));
      at = end;
    } else if (xml[at + 1] === '/') {
      const end = findEnd(xml, '>', at);
      visitor.close?.(toLocalName(xml.slice(at + 2, Math.max(at + 2, end - 1)).trim()));
      at = end;
    } else at = walkTag(xml, at, visitor);
    if (at < 0) return false;
  }
  return true;
}

/** Behind the text; negative when it is not there. */
function findEnd(xml: string, text: string, start: number): number {
  const end = xml.indexOf(text, start);
  return end === -1 ? -1 : end + text.length;
}

function walkTag(xml: string, start: number, visitor: XmlVisitor): number {
  const full = matchAt(namePattern, xml, start + 1)?.[0];
  if (full === undefined || full.startsWith('!')) return -1;
  const attributes = new Map<string, string>();
  let at = start + 1 + full.length;
  let match = matchAt(attributePattern, xml, at);
  while (match) {
    const key = match[1] ?? '';
    if (attributes.has(key)) return -1;
    attributes.set(key, decode(match[2] ?? match[3] ?? ''));
    at += match[0].length;
    match = matchAt(attributePattern, xml, at);
  }
  const end = matchAt(endPattern, xml, at);
  if (!end) return -1;
  const name = toLocalName(full);
  visitor.open({ name, attributes });
  if (end[1] === '/') visitor.close?.(name);
  return at + end[0].length;
}

function matchAt(pattern: RegExp, text: string, position: number): RegExpExecArray | null {
  pattern.lastIndex = position;
  return pattern.exec(text);
}

export function toLocalName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
};

function decode(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(/&#?\w{1,8};/g, (entity) => {
    if (!entity.startsWith('&#')) return entities[entity] ?? entity;
    const isHexadecimal = /^&#x/i.test(entity);
    const code = Number.parseInt(entity.slice(isHexadecimal ? 3 : 2, -1), isHexadecimal ? 16 : 10);
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : entity;
  });
}
