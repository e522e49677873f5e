// Converts the name of an uploaded file to one that is safe to store, to display, and to send to the funding service.

export interface DocumentName {
  /** Without the extension. Never empty. */
  readonly name: string;
  /** In lower case, without the dot. Empty if the file has none. */
  readonly extension: string;
}

/** In UTF-16 units, which databases and the funding service's platform count. */
const maxNameLength = 80;
const defaultName = 'document';

/** `"bank.2026.03.PDF"` → `{ name: "bank.2026.03", extension: "pdf" }`. */
export function toDocumentName(fileName: string): DocumentName {
  const clean = toPlainText(fileName);
  const match = /^(.*)\.([A-Za-z0-9]{1,10})$/u.exec(clean);
  return {
    name: toSafeName(match?.[1] ?? clean),
    extension: match?.[2]?.toLowerCase() ?? '',
  };
}

/** Removes invisible characters, and gives names that look the same the same spelling. */
function toPlainText(fileName: string): string {
  return (
    fileName
      .replaceAll(/\s+/gu, ' ')
      // Cc: controls. Cf: bidirectional marks, zero-width characters, tags. Cs: lone surrogates. DI and U+2800: fillers and
      // selectors without a glyph. NChar and U+FFFD: not characters.
      .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{DI}\p{NChar}\u2800\uFFFD]/gu, '')
      // Last, because the steps before can join a letter and its accent.
      .normalize('NFC')
      .trim()
  );
}

/** Characters of paths, drives, patterns, and markup, which Windows forbids (CWE-22). The last five look like slashes. */
const unsafeCharacter = /[/\\:*?"<>|\u2044\u2215\u2216\u29F5\u29F8]/;

function toSafeName(text: string): string {
  const name = Array.from(text, toSafeCharacter)
    .join('')
    // A program that decodes twice must not find `../` (CWE-174).
    .replaceAll(/%(?=[0-9A-F]{2})/gi, '_')
    // Prefixes of hidden files, command options, home folders, and spreadsheet formulas (CWE-1236).
    .replace(/^[.\-=+@~\s]+/, '');
  const prefixed = isDeviceName(name) ? `_${name}` : name;
  // Windows removes dots and spaces at the end of a name, so two names could become one.
  return truncate(prefixed).replace(/[.\s]+$/, '') || defaultName;
}

/** Also replaces characters that other systems convert to unsafe ones, for example the full-width slash. */
function toSafeCharacter(character: string): string {
  return unsafeCharacter.test(character.normalize('NFKC')) ? '_' : character;
}

/** True for names that Windows reserves for devices, also with an extension. */
function isDeviceName(name: string): boolean {
  return /^(con|prn|aux|nul|clock\$|conin\$|conout\$|(com|lpt)[0-9¹²³])\s*(\.|$)/i.test(name);
}

/** Does not split a surrogate pair. */
function truncate(name: string): string {
  let kept = '';
  for (const character of name) {
    if (kept.length + character.length > maxNameLength) break;
    kept += character;
  }
  return kept;
}
