// A name that is safe to store, to show and to send on, from whatever name a file had on the applicant's device.

/** `name` is without the extension and never empty; `extension` is without dot, in lower case, empty when there is none. */
export interface DocumentName {
  readonly name: string;
  readonly extension: string;
}

/** UTF-16 units, as databases and the service's platform count them. */
const maxNameLength = 80;
const nameOfNone = 'document';

/** `"bank.2026.03.PDF"` → `{ name: "bank.2026.03", extension: "pdf" }`. */
export function toDocumentName(fileName: string): DocumentName {
  const clean = toPlainText(fileName);
  const match = /^(.*)\.([A-Za-z0-9]{1,10})$/u.exec(clean);
  return {
    name: toSafeName(match?.[1] ?? clean),
    extension: match?.[2]?.toLowerCase() ?? '',
  };
}

/** One spelling for what looks the same, and nothing that cannot be seen. */
function toPlainText(fileName: string): string {
  return (
    fileName
      .replaceAll(/\s+/gu, ' ')
      // Cc: controls. Cf: bidi marks and overrides, zero-width characters, tags. Cs: halves of a surrogate pair. DI: fillers
      // and selectors that are drawn as nothing, U+2800 as well. NChar, U+FFFD: no characters.
      .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{DI}\p{NChar}\u2800\uFFFD]/gu, '')
      // Last, since letters and accents meet where something between them is gone.
      .normalize('NFC')
      .trim()
  );
}

/** Of paths, drives, streams, patterns and markup (Windows forbids them, CWE-22); the last five look like slashes. */
const signs = /[/\\:*?"<>|\u2044\u2215\u2216\u29F5\u29F8]/;

function toSafeName(text: string): string {
  const name = Array.from(text, toSafeCharacter)
    .join('')
    // Who decodes once too often must not find `../` (CWE-174).
    .replaceAll(/%(?=[0-9A-F]{2})/gi, '_')
    // Hidden files, options of commands, homes; and cells that spreadsheets calculate (CWE-1236).
    .replace(/^[.\-=+@~\s]+/, '');
  const prefixed = isDeviceName(name) ? `_${name}` : name;
  // Windows drops dots and blanks at a name's end, which would make two names one.
  return cut(prefixed).replace(/[.\s]+$/, '') || nameOfNone;
}

/** Systems that know fewer letters make `/` of `／`, so that counts as one. */
function toSafeCharacter(character: string): string {
  return signs.test(character.normalize('NFKC')) ? '_' : character;
}

/** Names Windows keeps for devices, also with anything after a dot. */
function isDeviceName(name: string): boolean {
  return /^(con|prn|aux|nul|clock\$|conin\$|conout\$|(com|lpt)[0-9¹²³])\s*(\.|$)/i.test(name);
}

/** Never through the middle of a surrogate pair. */
function cut(name: string): string {
  let kept = '';
  for (const character of name) {
    if (kept.length + character.length > maxNameLength) break;
    kept += character;
  }
  return kept;
}
