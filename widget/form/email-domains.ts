// Finds the mail provider that a mistyped domain probably means. It loads when the applicant reaches the email address.

/**
 * The providers that most people in the US have a mailbox at: those of the lists of Mailcheck and its successors, without providers
 * of other countries.
 */
const providers = [
  'gmail.com',
  'yahoo.com',
  'hotmail.com',
  'outlook.com',
  'icloud.com',
  'aol.com',
  'msn.com',
  'live.com',
  'comcast.net',
  'verizon.net',
  'att.net',
  'sbcglobal.net',
  'bellsouth.net',
  'cox.net',
  'charter.net',
  'spectrum.net',
  'earthlink.net',
  'optonline.net',
  'optimum.net',
  'frontier.com',
  'frontiernet.net',
  'windstream.net',
  'centurylink.net',
  'centurytel.net',
  'roadrunner.com',
  'suddenlink.net',
  'embarqmail.com',
  'juno.com',
  'netzero.net',
  'protonmail.com',
  'proton.me',
  'fastmail.com',
  'rocketmail.com',
  'googlemail.com',
  'zohomail.com',
];

/** Real domains that differ from a provider by one or two characters. */
const realDomains = new Set([
  'amail.com',
  'aol.de',
  'cmail.com',
  'email.com',
  'fmail.com',
  'gmx.com',
  'gmx.net',
  'hotmail.ca',
  'hotmail.es',
  'hotmail.fr',
  'hotmail.it',
  'hushmail.com',
  'imail.com',
  'live.ca',
  'love.com',
  'mail.com',
  'mmail.com',
  'omail.com',
  'outlook.es',
  'outlook.fr',
  'pobox.com',
  'qmail.com',
  'tmail.com',
  'xmail.com',
  'yahoo.ca',
  'yahoo.es',
  'yahoo.fr',
  'ymail.com',
  'zmail.com',
]);

/** `"ana@gmial.com"` → `"ana@gmail.com"`. Returns `undefined` if the domain is a known one, or like none. */
export function suggestEmail(email: string): string | undefined {
  const [, name = '', domain = ''] = /^([^@\s]+)@([^@\s]+)$/.exec(email.trim()) ?? [];
  const typed = domain.toLowerCase();
  if (typed === '' || providers.includes(typed) || realDomains.has(typed)) return undefined;
  const provider = providers.find((candidate) => isMistyped(typed, candidate));
  return provider && `${name}@${provider}`;
}

/** Longer names allow two mistakes, because few real domains look like them. Many end in `mail`. */
function isMistyped(typed: string, provider: string): boolean {
  const [name = '', ending = ''] = provider.split('.');
  const dot = typed.lastIndexOf('.');
  // `gmail`, `gmailcom`
  if (dot < 0) return typed === name || typed === name + ending;
  const typedName = typed.slice(0, dot);
  const typedEnding = typed.slice(dot + 1);
  // `gmail.con`, and also a missing letter: `gmail.co`.
  if (typedName === name) return countEdits(typedEnding, ending, 2) <= (ending.length > 2 ? 1 : 0);
  return typedEnding === ending
    ? name.length >= 5 &&
        countEdits(typedName, name, 3) <= (name.length >= 7 && !name.endsWith('mail') ? 2 : 1)
    : // `gmial.con`
      name.length >= 5 && countEdits(typed, provider, 3) <= 2;
}

/** Inserted, missing, wrong, and swapped characters (optimal string alignment). If the lengths differ by more than `limit`, `Infinity`. */
function countEdits(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) > limit) return Infinity;
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Infinity;
  for (let row = 1; row <= one.length; row += 1) {
    const current = (rows[row] = [row]);
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current[column] = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (isSame ? 0 : 1),
        isSwapped ? at(row - 2, column - 2) + 1 : Infinity,
      );
    }
  }
  return at(one.length, other.length);
}
