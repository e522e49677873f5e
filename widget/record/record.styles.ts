// Styles of the record of the application.

import { css } from 'lit';

export const recordStyles = css`
  .reference {
    display: block;
    font-size: var(--_section-size);
    font-weight: 700;
    font-variant-numeric: tabular-nums;
    letter-spacing: 0.01em;
    overflow-wrap: anywhere;
  }
  .next {
    border-block-start: 1px solid var(--_hairline);
  }
  .next li {
    padding-block: calc(var(--_unit) * 2.5);
    border-block-end: 1px solid var(--_hairline);
    break-inside: avoid;
  }
  .task {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 calc(var(--_unit) * 4);
  }
  @media screen {
    .folded,
    .print-reference {
      display: none;
    }
  }
  .record h3 {
    font-size: var(--_size);
  }
  .record [aria-expanded] {
    font-weight: 400;
  }
  @media print {
    /* The reference is in the page margin, where it covers no text. */
    .print-reference {
      position: fixed;
      /* Physical sides, because logical sides follow the vertical writing mode below. */
      inset: 0 0 auto auto;
      padding: calc(var(--_unit) * 3);
      writing-mode: vertical-rl;
      font-size: var(--_hint-size);
      font-variant-numeric: tabular-nums;
    }
  }
`;
