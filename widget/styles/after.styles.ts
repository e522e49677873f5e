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
    margin-inline-end: calc(var(--_unit) * -1);
  }
  .state {
    display: inline-flex;
    align-items: center;
    gap: calc(var(--_unit) * 1.5);
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
  h4 {
    font-size: var(--_size);
  }
  @media print {
    /* A container is what fixed lines are fixed to, and pages are wanted; paper is white in every theme. */
    :host,
    :host([theme]) {
      container: none;
      color-scheme: light;
    }
    .folded {
      display: grid;
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
    }
    .answers > div,
    .next li {
      break-inside: avoid;
    }
    .quiet,
    .task,
    .screen-only {
      display: none;
    }
  }
`;
