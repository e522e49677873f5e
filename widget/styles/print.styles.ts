// Styles of the printed page.

import { css } from 'lit';

export const printStyles = css`
  @media print {
    /*
     * A size container would contain fixed elements, which belong to the page. Paper is white in every theme, also below a host page
     * that sets colors for a dark one.
     */
    :host,
    :host([theme]) {
      --_accent: black;
      --_text: black;
      --_muted: black;
      --_error: black;
      --_attention: black;
      --_success: black;
      --_surface: white;
      --_size: calc(var(--_unit) * 3.5);
      container: none;
      color-scheme: light;
    }
    .actions,
    .back,
    .progress,
    .sandbox,
    .languages,
    .status,
    .quiet,
    .screen-only {
      display: none;
    }
    /* Grid rows overlap at page breaks, and separate headings from their text. */
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
    h3,
    h4 {
      break-after: avoid;
    }
    /* The container query for wide columns does not match on paper. */
    .answers > div {
      grid-template-columns: minmax(0, 2fr) minmax(0, 3fr);
      padding-block: var(--_unit);
      break-inside: avoid;
    }
    .links a::after {
      content: attr(href);
    }
  }
`;
