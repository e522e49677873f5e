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
      .normalize('NFC')
      .replaceAll(/\s+/gu, ' ')
      // Cc: controls. Cf: bidi marks and overrides, zero-width characters, tags. Cs: halves of a surrogate pair.
      .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\uFFFD]/gu, '')
      .trim()
  );
}

function toSafeName(text: string): string {
  const name = text.replaceAll(/[/\\:*?"<>|]/g, '_').replace(/^[.\-\s]+/, '');
  const prefixed = isDeviceName(name) ? `_${name}` : name;
  // Windows drops dots and blanks at a name's end, which would make two names one.
  return cut(prefixed).replace(/[.\s]+$/, '') || nameOfNone;
}

/** Names Windows keeps for devices, also with anything after a dot. */
function isDeviceName(name: string): boolean {
  return /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])\s*(\.|$)/i.test(name);
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
