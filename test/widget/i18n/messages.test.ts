// Sentences with values put in.

import { describe, expect, it } from 'vitest';
import { createTranslate } from '../../../widget/i18n/messages.ts';

describe('a translation', () => {
  it('inserts values, and keeps placeholders without a value', () => {
    const t = createTranslate({ 'step.progress': 'Step {number} of {total}' });
    expect(t('step.progress', { number: 2, total: 5 })).toBe('Step 2 of 5');
    expect(t('step.progress', { number: 2 })).toBe('Step 2 of {total}');
  });

  it('inserts values with special characters unchanged', () => {
    const t = createTranslate({ help: 'Questions? {contact}' });
    expect(t('help', { contact: '$& {contact} $1' })).toBe('Questions? $& {contact} $1');
  });

  it('ignores inherited properties', () => {
    const t = createTranslate({ continue: 'Continue' });
    expect(t.has('continue')).toBe(true);
    expect(t.has('toString')).toBe(false);
    expect(t.has('__proto__')).toBe(false);
  });
});
