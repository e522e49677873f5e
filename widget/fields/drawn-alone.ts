// A part of the form that is drawn anew at each key, without the rest of the form being looked at.

import type { TemplateResult } from 'lit';
import { AsyncDirective, directive } from 'lit/async-directive.js';

class DrawnAlone extends AsyncDirective {
  render(draw: () => TemplateResult, onDrawn: (redraw: () => void) => void): TemplateResult {
    onDrawn(() => this.setValue(draw()));
    return draw();
  }
}

/**
 * Draws a template together with the form.
 *
 * @param onDrawn gets, with each drawing of the form, what draws this template alone.
 */
export const drawnAlone = directive(DrawnAlone);
