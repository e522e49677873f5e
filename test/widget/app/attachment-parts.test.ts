// Tests for the parts about documents and bank reports that several features show.

import { nothing } from 'lit';
import { describe, expect, it } from 'vitest';
import { renderStatementsHint } from '../../../widget/app/attachment-parts.ts';
import type { AppState } from '../../../widget/app/store.ts';
import { createAcceptedState, createStepContext } from '../../support/create-feature.ts';

type Status = 'received' | 'delivered' | 'rejected';

function toState({
  document,
  bank,
}: {
  readonly document?: readonly [category: string, status: Status];
  readonly bank?: Status;
}): AppState {
  const state = createAcceptedState();
  const [category = '', status = 'received'] = document ?? [];
  return {
    ...state,
    documents: {
      ...state.documents,
      uploaded: document
        ? [{ id: 1, status: { number: 1, category, bytes: 1, status, delayed: false } }]
        : [],
    },
    bank: { ...state.bank, report: bank && { status: bank, delayed: false } },
  };
}

describe('renderStatementsHint', () => {
  it.each<[string, Parameters<typeof toState>[0]]>([
    ['without documents', {}],
    ['with other documents', { document: ['drivers-license', 'received'] }],
    ['with a rejected statement', { document: ['bank-statements-oct', 'rejected'] }],
    ['with a rejected bank report', { bank: 'rejected' }],
  ])('asks for statements %s', (_case, attachments) => {
    expect(renderStatementsHint(createStepContext(toState(attachments)))).not.toBe(nothing);
  });

  it.each<[string, Parameters<typeof toState>[0]]>([
    ['with a statement', { document: ['bank-statements-oct', 'received'] }],
    ['with a bank report', { bank: 'delivered' }],
  ])('shows nothing %s', (_case, attachments) => {
    expect(renderStatementsHint(createStepContext(toState(attachments)))).toBe(nothing);
  });
});
