// What stands before and after the questions (the start page, kept answers, the record, the bank), and everything on paper.

import { css } from 'lit';

export const afterStyles = css`
  .reference {
    display: block;
    font-size: var(--_section-size);
    font-weight: 700;
    font-variant-numeric: tabular-nums;
    letter-spacing: 0.01em;
    overflow-wrap: anywhere;
  }
  .next li {
    padding-block: calc(var(--_unit) * 2.5);
    border-block-end: 1px solid var(--_hairline);
  }
  .next {
    border-block-start: 1px solid var(--_hairline);
  }
  .section-head .quiet {
    padding-inline-end: 0;
  }
  .state {
    display: inline-flex;
    gap: calc(var(--_unit) * 1.5);
  }
  .state .icon {
    margin-block-start: 0.18em;
  }
  .state.done {
    color: var(--_success);
  }
  .panel {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: calc(var(--_unit) * 6);
    padding: calc(var(--_unit) * 6);
    border: var(--_line) solid var(--_hairline);
    border-radius: var(--_radius);
  }
  .points {
    padding-inline-start: 1.2em;
    list-style: disc;
  }
  .kept {
    display: grid;
    justify-items: start;
    gap: var(--_unit);
    margin-block-start: calc(var(--_unit) * 6);
    padding: calc(var(--_unit) * 3) calc(var(--_unit) * 4);
    border-inline-start: var(--_unit) solid var(--_accent);
    background: var(--_tint);
  }
  .task {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 calc(var(--_unit) * 4);
  }
  .folded,
  .print-reference {
    display: none;
  }
  h4,
  .record h3 {
    font-size: var(--_size);
  }
  .record [aria-expanded] {
    font-weight: 400;
  }
  [aria-expanded='true'] > .icon {
    rotate: 180deg;
  }
  @media print {
    /* A container is what fixed lines are fixed to, and pages are wanted; paper is white in every theme. */
    :host,
    :host([theme]) {
      --_size: calc(var(--_unit) * 3.5);
      container: none;
      color-scheme: light;
    }
    /* Rows of a grid run into each other where a page ends, and its headings stay behind. */
    .body,
    .group,
    .field {
      display: block;
    }
    :is(.body, .group) > * + * {
      margin-block-start: calc(var(--_unit) * 5);
    }
    .field > * + * {
      margin-block-start: var(--_unit);
    }
    /* In the margin beside the column, where nothing of ours can stand under it. */
    .print-reference {
      display: block;
      position: fixed;
      /* Not logical: those follow the line's own writing mode, and it would stand at the foot. */
      inset: 0 0 auto auto;
      padding: calc(var(--_unit) * 3);
      writing-mode: vertical-rl;
      font-size: var(--_hint-size);
      font-variant-numeric: tabular-nums;
    }
    h3,
    h4 {
      break-after: avoid;
    }
    /* Again, since paper is no container. */
    .answers > div {
      grid-template-columns: minmax(0, 2fr) minmax(0, 3fr);
      padding-block: var(--_unit);
    }
    .answers > div,
    .next li {
      break-inside: avoid;
    }
    .links a::after {
      content: attr(href);
    }
    .quiet,
    .task,
    .screen-only {
      display: none;
    }
  }
`;
