// What is wrong with a file's name, wherever it may be shown, stored or run.

/** What no name may have, whatever the system it arrives on. */
const rules: readonly (readonly [string, RegExp])[] = [
  ['a sign of paths, drives, patterns or markup', /[/\\:*?"<>|]/],
  ['a control character', /\p{Cc}/u],
  ['a character that cannot be seen', /[\p{Cf}\p{DI}\u2800]/u],
  ['half a character, or none', /[\p{Cs}\p{NChar}\ufffd]/u],
  ['a blank other than a space', /(?! )\s/u],
  ['a beginning that hides it, makes it an option or a formula', /^[.\-\s=+@~]/],
  ['an end that Windows drops', /[.\s]$/],
  ['an escape that somebody might undo', /%[0-9a-f]{2}/i],
  [
    'the name of a device',
    /^(con|prn|aux|nul|clock\$|conin\$|conout\$|(com|lpt)[0-9¹²³])\s*(\.|$)/i,
  ],
  ['no end', /^.{81}/s],
  ['nothing at all', /^$/],
];

export function findNameFaults(name: string): string[] {
  const broken = rules.filter(([, rule]) => rule.test(name)).map(([what]) => what);
  if (name.normalize('NFC') !== name) broken.push('another spelling of the same letters');
  // What a system makes of it that knows fewer letters must be harmless as well.
  if (/[/\\:*?"<>|]/.test(name.normalize('NFKC'))) broken.push('a sign that becomes one of paths');
  return broken.map((what) => `${JSON.stringify(name)} has ${what}`);
}
