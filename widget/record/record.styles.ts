// Styles of the record of the application.

import { css } from 'lit';

export const recordStyles = css`
  .mark {
    display: block;
    inline-size: calc(var(--_unit) * 14);
    margin-block-end: calc(var(--_unit) * 4);
    fill: none;
    stroke: var(--_success);
    stroke-width: 3;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .mark circle {
    stroke-opacity: 0.45;
  }
  @keyframes draw {
    from {
      stroke-dashoffset: 1;
    }
  }
  @media (prefers-reduced-motion: no-preference) {
    .drawing > * {
      stroke-dasharray: 1;
      animation: draw 0.7s ease-out backwards;
    }
    .drawing path {
      animation: draw 0.4s 0.5s ease-out backwards;
    }
  }
  .numbers {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    justify-items: start;
    gap: calc(var(--_unit) * 2);
  }
  .number {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 calc(var(--_unit) * 5);
  }
  .reference {
    font-size: var(--_figure-size);
    font-weight: 700;
    line-height: 1.2;
    font-variant-numeric: tabular-nums;
    letter-spacing: 0.04em;
    overflow-wrap: anywhere;
  }
  .next {
    border-block-start: 1px solid var(--_hairline);
  }
  .next > li {
    max-inline-size: none;
    padding-block: calc(var(--_unit) * 3);
    border-block-end: 1px solid var(--_hairline);
    break-inside: avoid;
  }
  @media screen {
    .next > li {
      display: grid;
      grid-template-columns: minmax(0, 1fr);
      gap: 0 calc(var(--_unit) * 4);
    }
  }
  @container funding (inline-size >= 480px) {
    .next > li {
      grid-template-columns: minmax(0, 3fr) minmax(0, 5fr);
    }
  }
  .next > li > div {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: calc(var(--_unit) * 1);
  }
  .next strong {
    text-wrap: balance;
  }
  .task {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0 calc(var(--_unit) * 3);
    min-block-size: calc(var(--_unit) * 11);
  }
  /* On the line of the text beside it. */
  .task:first-child {
    margin-block-start: calc(var(--_unit) * -2.25);
  }
  @media screen {
    .folded,
    .print-only,
    .print-reference {
      display: none;
    }
  }
  .record h3,
  .record h4 {
    font-size: var(--_size);
  }
  .record [aria-expanded] {
    font-weight: 400;
  }
  @media print {
    /* Each page shows the reference at its edge. The layout keeps room for it, because browsers may print without margins. */
    .frame:has(.print-reference) {
      padding-inline-end: calc(var(--_unit) * 10);
    }
    .print-reference {
      position: fixed;
      /* Physical sides, because logical sides follow the vertical writing mode below. */
      inset: 0 0 auto auto;
      padding: calc(var(--_unit) * 3);
      writing-mode: vertical-rl;
      white-space: nowrap;
      font-size: var(--_hint-size);
      font-variant-numeric: tabular-nums;
    }
  }
`;
