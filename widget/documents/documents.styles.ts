// Styles of the step "documents": the drop zone, the checklist, and the list of files.

import { css } from 'lit';

export const documentsStyles = css`
  .dropping,
  .drop {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: calc(var(--_unit) * 10);
  }
  .drop {
    position: relative;
    gap: calc(var(--_unit) * 3);
    padding: min(calc(var(--_unit) * 6), 6cqi);
    border: var(--_line) dashed var(--_border);
    border-radius: var(--_radius);
  }
  .over .drop {
    border-color: var(--_accent);
    background: var(--_tint);
  }
  .drop label {
    line-height: inherit;
  }
  .drop input:focus-visible + .button {
    outline: 3px solid var(--_focus);
    outline-offset: 2px;
  }
  .checklist li {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr) auto;
    gap: calc(var(--_unit) * 3);
    max-inline-size: none;
    padding-block: calc(var(--_unit) * 2);
  }
  .checklist ul {
    margin-block-start: calc(var(--_unit) * 2);
  }
  .check-mark {
    display: grid;
    place-items: center;
    inline-size: calc(var(--_unit) * 6);
    block-size: calc(var(--_unit) * 6);
    border: var(--_line) solid var(--_border);
    border-radius: 50%;
    color: var(--_success);
  }
  .done .check-mark {
    border-color: currentColor;
  }
  .files {
    border-block-start: 1px solid var(--_hairline);
  }
  .file {
    position: relative;
    display: grid;
    grid-template-columns: calc(var(--_unit) * 10) minmax(0, 1fr) auto;
    column-gap: calc(var(--_unit) * 3);
    align-items: start;
    max-inline-size: none;
    padding-block: calc(var(--_unit) * 4);
    border-block-end: 1px solid var(--_hairline);
  }
  .file > .icon,
  .file > canvas {
    grid-row: 1 / span 2;
    inline-size: calc(var(--_unit) * 10);
    block-size: calc(var(--_unit) * 10);
    color: var(--_muted);
  }
  .file > canvas {
    object-fit: cover;
    border-radius: calc(var(--_radius) / 2);
  }
  .file > .icon {
    padding: calc(var(--_unit) * 1);
    stroke-width: 1.25;
  }
  .file .name {
    font-weight: 600;
  }
  /* The text ends at the edge of the column. The button has no height of its own, so that the row does not grow. */
  .file > .quiet {
    grid-area: 1 / 3;
    margin-block: calc(var(--_unit) * -2.5);
    padding-inline-end: 0;
  }
  /* Below the button too, so that a longer state does not need another line. */
  .file .facts,
  .file .wide {
    grid-column: 2 / -1;
  }
  .file .wide {
    margin-block-start: calc(var(--_unit) * 2);
  }
  /* A sent document has two lines here, which are as high as the list of categories. */
  .file .steady {
    min-block-size: var(--_control);
  }
  .file .steady > .state {
    display: flex;
    font-size: var(--_hint-size);
  }
  .file .wide > p {
    max-inline-size: none;
  }
  .file .open {
    border-color: var(--_attention);
  }
  .file .error {
    font-size: var(--_hint-size);
  }
  .file progress {
    position: absolute;
    inset-inline: 0;
    inset-block-end: 0;
    appearance: none;
    inline-size: 100%;
    block-size: var(--_unit);
    border: 0;
    border-radius: var(--_unit);
    overflow: hidden;
  }
  .file progress,
  .file progress::-webkit-progress-bar {
    background: none;
  }
  .file progress::-webkit-progress-value {
    background: var(--_accent);
  }
  .file progress::-moz-progress-bar {
    background: var(--_accent);
  }
  @container funding (inline-size < 384px) {
    /* The list of categories and the texts start at the left edge of the row, below the file name. */
    .file .selecting {
      margin-inline-start: calc(var(--_unit) * -13);
    }
  }
  @media (forced-colors: active) {
    .file progress {
      --_accent: Highlight;
      background: Canvas;
    }
  }
`;
