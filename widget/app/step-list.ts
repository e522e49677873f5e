// The list of steps beside a wide form: where the applicant is, and what each step contains so far.

import { css, html, nothing, type TemplateResult } from 'lit';
import { icons } from '../fields/icons.ts';
import { isSecondClick, renderButton } from './parts.ts';

export interface ListedStep {
  readonly name: string;
  readonly state: 'done' | 'current' | 'open';
  /** The answers or the state of the step. */
  readonly summary?: string | undefined;
  /** Shows the step. Undefined if the applicant cannot go there now. */
  readonly show?: (() => void) | undefined;
}

export function renderStepList(label: string, steps: readonly ListedStep[]): TemplateResult {
  return html`<nav aria-label=${label}>
    <ol>
      ${steps.map(
        ({ name, state, summary, show }, index) =>
          html`<li class=${state} aria-current=${state === 'current' ? 'step' : nothing}>
            <span class="marker figures" aria-hidden="true"
              >${state === 'done' ? icons.check : index + 1}</span
            >
            <div>
              ${
                show
                  ? renderButton(
                      name,
                      (event) => {
                        if (!isSecondClick(event)) show();
                      },
                      'quiet',
                    )
                  : name
              }
              ${summary ? html`<p class="small figures">${summary}</p>` : nothing}
            </div>
          </li>`,
      )}
    </ol>
  </nav>`;
}

export const stepListStyles = css`
  .steps ol {
    display: grid;
    gap: calc(var(--_unit) * 4);
  }
  .steps li {
    position: relative;
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: calc(var(--_unit) * 3);
    line-height: 1.4;
  }
  /* The line to the next marker. */
  .steps li:not(:last-child)::before {
    content: '';
    position: absolute;
    inset-block: calc(var(--_unit) * 7) calc(var(--_unit) * -4);
    inset-inline-start: calc(var(--_unit) * 3);
    border-inline-start: 1px solid var(--_hairline);
  }
  .marker {
    display: grid;
    place-items: center;
    inline-size: calc(var(--_unit) * 6);
    block-size: calc(var(--_unit) * 6);
    border: 1px solid var(--_border);
    border-radius: 50%;
    font-size: var(--_hint-size);
    line-height: 1;
  }
  .done > .marker {
    border-color: var(--_success);
    color: var(--_success);
  }
  .current > .marker {
    border-color: var(--_accent);
    background: var(--_accent);
    color: var(--_on-accent);
  }
  .steps .current {
    font-weight: 600;
  }
  .steps .open {
    color: var(--_muted);
  }
  .steps .small {
    font-weight: 400;
  }
  /* The whole row is the target of a click. */
  .steps .quiet {
    min-block-size: 0;
    padding: 0;
    margin: 0;
  }
  .steps .quiet::after {
    content: '';
    position: absolute;
    inset: calc(var(--_unit) * -2) 0;
  }
  @container funding (inline-size >= 56rem) and (inline-size >= 896px) {
    .form > .rail {
      position: sticky;
      inset-block-start: calc(var(--_sticky-top) + var(--_unit) * 6);
      /* A rail that is taller than the window scrolls, because its lower end would stay out of the window. */
      max-block-size: calc(100vh - var(--_sticky-top) - var(--_sticky-bottom) - var(--_unit) * 12);
      overflow-y: auto;
      /* Room for focus rings. */
      padding: calc(var(--_unit) * 2);
      margin: calc(var(--_unit) * -2);
    }
    /* Without steps, for example after the submission, the rail begins with the help, and needs no line above it. */
    .frame:not(.wide) .steps:empty {
      display: none;
    }
    .frame:not(.wide) .steps:empty ~ slot > .footer {
      padding: 0;
      border: 0;
    }
    /* A sticky element stays in its grid area, so the notices have the whole column, and room at its end. */
    .frame:not(.wide) > :is(.main, .status) {
      grid-area: 1 / 1;
    }
    .frame:not(.wide) > .status {
      align-self: end;
    }
    .frame:has(.status .notice) > .main {
      padding-block-end: calc(var(--_unit) * 40);
    }
  }
  @media (forced-colors: active) {
    .current > .marker {
      forced-color-adjust: none;
      border-color: Highlight;
      background: Highlight;
      color: HighlightText;
    }
  }
`;
