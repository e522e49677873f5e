// Sentences with values put in.

import { describe, expect, it } from 'vitest';
import { createTranslate, isMessageKey } from '../../../widget/i18n/text.ts';

describe('a translation', () => {
  it('puts values in their places, and leaves places without one alone', () => {
    const t = createTranslate({ 'step.progress': 'Step {number} of {total}' });
    expect(t('step.progress', { number: 2, total: 5 })).toBe('Step 2 of 5');
    expect(t('step.progress', { number: 2 })).toBe('Step 2 of {total}');
  });

  it('takes values as text, whatever signs they hold', () => {
    const t = createTranslate({ help: 'Questions? {contact}' });
    expect(t('help', { contact: '$& {contact} $1' })).toBe('Questions? $& {contact} $1');
  });

  it('never looks further than its own keys', () => {
    expect(isMessageKey('toString')).toBe(false);
    expect(isMessageKey('__proto__')).toBe(false);
  });
});
