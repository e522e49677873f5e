// Styles of the demonstration bank.

import { css } from 'lit';

export const bankStyles = css`
  .panel {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: calc(var(--_unit) * 6);
    padding: calc(var(--_unit) * 6);
    border: var(--_line) solid var(--_hairline);
    border-radius: var(--_radius);
  }
`;
