// Styles of the review: the answers, the signature, and the consents.

import { css } from 'lit';

export const reviewStyles = css`
  .answers {
    border-block-start: 1px solid var(--_hairline);
  }
  .answers > div {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0 calc(var(--_unit) * 4);
    padding-block: calc(var(--_unit) * 2.5);
    border-block-end: 1px solid var(--_hairline);
  }
  .answers dt {
    color: var(--_muted);
  }
  @container funding (inline-size >= 480px) {
    .answers > div {
      grid-template-columns: minmax(0, 2fr) minmax(0, 3fr);
    }
  }
  .section-head {
    display: flex;
    align-items: baseline;
    justify-content: space-between;
    flex-wrap: wrap;
    gap: calc(var(--_unit) * 4);
  }
  .section-head .quiet {
    padding-inline-end: 0;
  }
  .signature .control {
    border-width: 0 0 var(--_line);
    border-radius: 0;
    background: none;
    font-style: italic;
    font-size: var(--_section-size);
  }
  .consent .links,
  .consent details {
    margin-inline-start: calc(var(--_unit) * 6 + var(--_unit) * 3);
  }
  .links a {
    display: block;
  }
  .links a,
  summary {
    inline-size: fit-content;
    min-block-size: calc(var(--_unit) * 7);
    color: var(--_accent);
    cursor: pointer;
    text-decoration: underline;
    text-underline-offset: 0.2em;
    border-radius: var(--_radius);
  }
  .fine-print {
    margin-block: calc(var(--_unit) * 2);
    font-size: var(--_hint-size);
    white-space: pre-line;
  }
`;
