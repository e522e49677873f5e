// Warns the developer of the host page in the console.

const warnings = new Set<string>();

/**
 * Logs each warning once per page.
 *
 * @param warning must not contain anything that an applicant typed.
 */
export function warnDeveloper(warning: string): void {
  if (warnings.has(warning)) return;
  warnings.add(warning);
  // oxlint-disable-next-line no-console -- The developer has no other channel. Applicants read the texts of the form.
  console.warn(`<funding-application>: ${warning}`);
}
