// The key that ends a line on the keyboard of a phone does what is written on it.

/**
 * "Next" leads to the next field. Where the applicant has a real keyboard, Enter leads to the next step, as in any form.
 *
 * @param isTouch whether the keyboard is on the screen, where the key shows the field's `enterkeyhint`.
 */
export function handleEnterKey(
  event: KeyboardEvent,
  isTouch: () => boolean = () => matchMedia('(pointer: coarse)').matches,
): void {
  const { target } = event;
  if (event.key !== 'Enter' || event.isComposing || event.defaultPrevented || !isTouch()) return;
  if (!(target instanceof HTMLInputElement) || target.getAttribute('enterkeyhint') !== 'next')
    return;
  event.preventDefault();
  const fields = [...(target.form?.elements ?? [])].filter(
    (field): field is HTMLElement => field instanceof HTMLElement && isReachable(field),
  );
  fields[fields.indexOf(target) + 1]?.focus();
}

function isReachable(field: HTMLElement): boolean {
  return field.matches('input, select') && field.tabIndex >= 0;
}
