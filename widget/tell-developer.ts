// A sentence in the console for whoever builds the host page; it never holds anything an applicant gave.

const told = new Set<string>();

/** Says the same only once a page. */
export function tellDeveloper(sentence: string): void {
  if (told.has(sentence)) return;
  told.add(sentence);
  // oxlint-disable-next-line no-console -- there is no other way to the developer; applicants read sentences of the form.
  console.warn(`<funding-application>: ${sentence}`);
}
