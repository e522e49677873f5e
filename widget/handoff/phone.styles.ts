// Styles of the phone's page in a handoff.

import { css } from 'lit';

/** Errors and notices look as in the form, whose style sheet this page does not load. */
export const phoneStyles = css`
  .error {
    display: flex;
    gap: calc(var(--_unit) * 1.5);
    color: var(--_error);
    font-weight: 600;
    line-height: 1.4;
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
  .wrong .control {
    border-color: var(--_error);
  }
  :is(.body, .group) > .notice {
    margin-block-start: 0;
  }
  .status .notice {
    margin-block-start: calc(var(--_unit) * 2);
    background: color-mix(in oklab, var(--_tone) 14%, var(--_surface));
  }
  .facts-of-application {
    display: grid;
    gap: calc(var(--_unit) * 2);
    padding: calc(var(--_unit) * 4);
    border-inline-start: var(--_unit) solid var(--_accent);
    background: var(--_tint);
  }
  .facts-of-application dt {
    font-size: var(--_hint-size);
    color: var(--_muted);
  }
  .facts-of-application dd {
    font-weight: 600;
  }
  .numbers {
    display: grid;
    grid-template-columns: repeat(3, minmax(0, 1fr));
    gap: calc(var(--_unit) * 3);
  }
  .numbers .button {
    inline-size: 100%;
    min-block-size: calc(var(--_unit) * 18);
    padding-inline: var(--_unit);
    font-size: var(--_figure-size);
  }
`;
