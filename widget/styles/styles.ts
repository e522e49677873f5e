// All sheets of the element in the order in which they build on each other.

import { baseStyles } from './base.styles.ts';
import { fieldStyles } from '../fields/field.styles.ts';
import { frameStyles } from './frame.styles.ts';
import { printStyles } from './print.styles.ts';
import { reviewStyles } from './review.styles.ts';
import { shellStyles } from './shell.styles.ts';
import { tokens } from './tokens.styles.ts';

export const styles = [
  tokens,
  baseStyles,
  frameStyles,
  fieldStyles,
  reviewStyles,
  shellStyles,
  printStyles,
];
