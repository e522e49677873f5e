// Styles of the phone's page in a handoff.

import { css } from 'lit';

export const phoneStyles = css`
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
