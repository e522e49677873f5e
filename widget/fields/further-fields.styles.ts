// Styles of errors, and of the fields behind the first step: groups, rows, secrets, choices, and the lists of comboboxes.

import { css } from 'lit';

export const furtherFieldStyles = css`
  [data-kind='information'] {
    --_tone: var(--_accent);
  }
  [data-kind='success'] {
    --_tone: var(--_success);
  }
  [data-kind='information'] > .icon {
    rotate: 180deg;
  }
  .status .notice {
    margin-block-start: calc(var(--_unit) * 2);
    background: color-mix(in oklab, var(--_tone) 14%, var(--_surface));
  }
  :is(.body, .group) > .notice {
    margin-block-start: 0;
  }
  .notice .actions {
    margin-block-start: calc(var(--_unit) * 3);
  }
  .summary,
  [data-kind='error'] {
    --_tone: var(--_error);
  }
  /* Neither notices nor the host page's header cover the focused element (WCAG 2.2, 2.4.11). */
  .frame :is(input, select, button, a, summary, .field, .summary, .notice, h2) {
    scroll-margin-block: calc(var(--_sticky-top) + var(--_unit) * 3)
      calc(var(--_sticky-bottom) + var(--_covered, 0px) + var(--_unit) * 3);
  }
  .frame:has(.status .notice) {
    --_covered: min(calc(var(--_unit) * 44), 40vh);
  }
  .summary li {
    margin-block-start: calc(var(--_unit) * 2);
  }
  .summary a {
    display: inline-block;
    padding-block: calc(var(--_unit) * 0.5);
    color: var(--_error);
    font-weight: 600;
  }
  .field.wrong {
    position: relative;
  }
  .field.wrong::before {
    content: '';
    position: absolute;
    inset-block: 0;
    inset-inline-start: calc(var(--_unit) * -3);
    border-inline-start: var(--_unit) solid var(--_error);
    border-radius: var(--_unit);
  }
  .wrong .control,
  .wrong .framed {
    border-color: var(--_error);
  }
  .error {
    display: flex;
    gap: calc(var(--_unit) * 1.5);
    color: var(--_error);
    font-weight: 600;
    line-height: 1.4;
  }
  .error .icon {
    margin-block-start: 0.12em;
  }
  /*
   * A corrected error is hidden at once. Its space, and the space of its entry in the summary, close after the focus leaves the
   * field, so that nothing moves while the applicant types. They do not close during a press: a press on Continue takes the focus
   * from the field, and the button must stay under the pointer. The long delay keeps closed spaces closed when the field gets the
   * focus again.
   */
  .corrected {
    max-block-size: 100em;
    visibility: hidden;
    opacity: 0;
    transition:
      0.2s 9999s,
      visibility 0.1s,
      opacity 0.1s;
  }
  .frame:not(:active, :has(.field:focus-within > .corrected)) :is(.summary, .summary li).corrected,
  .frame:not(:active) .field:not(:focus-within) > .error.corrected {
    max-block-size: 0;
    margin-block-start: 0;
    padding-block: 0;
    border-block-width: 0;
    line-height: 0;
    transition-delay: 0.1s, 0s, 0s;
  }
  /* The gap of the column is closed, too. */
  .frame:not(:active) .field:not(.single, :focus-within) > .error.corrected {
    margin-block-start: calc(var(--_unit) * -1.5);
  }
  .corrected .icon {
    block-size: 0;
    margin: 0;
  }
  @media (prefers-reduced-motion: reduce) {
    .corrected {
      transition-duration: 0s;
    }
  }
  legend {
    /* WebKit updates the layout of a legend only if its own style depends on the width of the column. */
    max-inline-size: min(100%, 100cqi);
    padding: 0;
  }
  legend.group-title {
    margin-block-end: calc(var(--_unit) * 5);
  }
  legend.label {
    /* A floating legend is inside the box of its fieldset, so the bar of an error includes it. */
    float: inline-start;
    inline-size: 100%;
  }
  .meaning {
    display: block;
    min-block-size: 1lh;
  }
  .width-2 {
    max-inline-size: calc(var(--_unit) * 17);
  }
  .width-4 {
    max-inline-size: calc(var(--_unit) * 25);
  }
  .width-10 {
    max-inline-size: calc(var(--_unit) * 40);
  }
  .framed .quiet {
    flex: none;
    margin: 0 calc(var(--_unit) * 1);
    padding-inline: calc(var(--_unit) * 2);
  }
  .affix.after {
    padding-inline: 0 calc(var(--_unit) * 3);
  }
  .secret:not(:focus):not(.shown) {
    -webkit-text-security: disc;
  }
  .row {
    display: grid;
    gap: calc(var(--_unit) * 6) calc(var(--_unit) * 5);
    align-items: start;
  }
  @container funding (inline-size >= 480px) {
    .row {
      row-gap: 0;
    }
    .row.two {
      grid-template-columns: 1fr 1fr;
    }
    .place .row {
      grid-template-columns: calc(var(--_unit) * 32) minmax(0, 1.4fr) minmax(0, 1.2fr);
    }
    /* Fields in one row align their labels, errors, and inputs, even if one error is long. */
    .row > .field {
      display: grid;
      grid-row: span 3;
      grid-template-rows: subgrid;
      row-gap: 0;
    }
    .row > .field > .error {
      grid-row: 2;
    }
    .row > .field > :last-child {
      grid-row: 3;
    }
  }
  /*
   * Advice appears when the focus leaves its field, but not during a press, which may be on the button below. The long delay keeps
   * what is open. The place for it is always there, because screen readers announce changes only.
   */
  .advice {
    max-block-size: 0;
    overflow: clip;
    transition: 0s 9999s;
  }
  .single > .advice:not(.shown) {
    margin-block-start: 0;
  }
  .frame:not(:active) .advice.shown {
    max-block-size: 100em;
    transition-delay: 0s;
  }
  .place .advice.shown {
    padding-block-start: calc(var(--_unit) * 1.5);
  }
  .advice output {
    display: flex;
    gap: calc(var(--_unit) * 1.5);
  }
  .advice .warning {
    color: var(--_text);
  }
  .advice .icon {
    margin-block-start: 0.12em;
    color: var(--_attention);
  }
  .advice-actions {
    display: flex;
    flex-wrap: wrap;
    gap: 0 calc(var(--_unit) * 5);
  }
  .parts {
    display: flex;
    gap: calc(var(--_unit) * 3);
  }
  .parts .field {
    min-inline-size: 0;
  }
  .parts .field > * + * {
    margin-block-start: var(--_unit);
  }
  .parts label {
    font-weight: 400;
  }
  .choice {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: calc(var(--_unit) * 3);
    align-items: start;
    min-block-size: calc(var(--_unit) * 11);
    padding-block: calc(var(--_unit) * 2);
    font-weight: 400;
    cursor: pointer;
  }
  .choice input {
    inline-size: calc(var(--_unit) * 6);
    block-size: calc(var(--_unit) * 6);
    margin: 0;
    accent-color: var(--_accent);
  }
  .choices {
    display: flex;
    flex-wrap: wrap;
    gap: 0 calc(var(--_unit) * 8);
  }
  .listbox {
    position: absolute;
    z-index: 1;
    inset-block-start: 100%;
    inset-inline: 0;
    margin-block-start: calc(var(--_unit) * 2);
    max-block-size: min(calc(var(--_unit) * 68), 45vh);
    overflow-y: auto;
    /* The end of the list does not scroll the page. */
    overscroll-behavior: contain;
  }
  /* Three rows and a half, so that the cut row shows that more follow. */
  .listbox.low {
    max-block-size: calc(var(--_unit) * 38.5);
  }
  @media (pointer: coarse) {
    .combobox .control {
      scroll-margin-block-start: calc(var(--_unit) * 20);
    }
  }
  .unchosen .control {
    padding-inline-end: calc(var(--_unit) * 34);
  }
  .unchosen .mark {
    position: absolute;
    inset-block: 0;
    inset-inline-end: calc(var(--_unit) * 3);
    align-content: center;
    color: var(--_attention);
    font-size: var(--_hint-size);
    pointer-events: none;
  }
  .listbox li {
    display: flex;
    align-items: center;
    min-block-size: calc(var(--_unit) * 11);
    padding: calc(var(--_unit) * 1.5) calc(var(--_unit) * 3);
    max-inline-size: none;
    cursor: pointer;
  }
  .listbox li:hover,
  .listbox li[aria-selected='true'] {
    background: color-mix(in oklch, var(--_accent) 8%, transparent);
  }
  .listbox li[aria-selected='true'] {
    outline: 2px solid var(--_accent);
    outline-offset: -2px;
  }
  .listbox .no-match:not(:first-child) {
    border-block-start: 1px solid var(--_hairline);
  }
  .listbox :is(.via, .no-match, [aria-disabled]) {
    color: var(--_muted);
  }
`;
