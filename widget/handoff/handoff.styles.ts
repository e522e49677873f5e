// Styles of the panel that invites a phone.

import { css } from 'lit';

export const handoffStyles = css`
  .pairing {
    display: flex;
    flex-wrap: wrap;
    align-items: start;
    gap: calc(var(--_unit) * 6);
  }
  .qr {
    flex: none;
    inline-size: calc(var(--_unit) * 46);
    max-inline-size: 100%;
    border-radius: var(--_radius);
    /* The code stays dark on white. */
    forced-color-adjust: none;
  }
  .pairing-steps {
    display: grid;
    flex: 1 1 calc(var(--_unit) * 56);
    gap: calc(var(--_unit) * 4);
  }
  .numbered {
    display: grid;
    gap: calc(var(--_unit) * 2);
    padding-inline-start: 1.2em;
    list-style: decimal;
  }
  .typed-code {
    letter-spacing: 0.04em;
    white-space: nowrap;
  }
  .handoff > .notice {
    margin-block-start: 0;
  }
  .pick {
    font-size: var(--_section-size);
  }
  .pairing-number {
    padding-inline: 0.15em;
    font-size: calc(var(--_figure-size) * 1.6);
    line-height: 1.2;
  }
`;
