// A refusal that anybody can have in masses: counted, and told now and then by an event of its own, instead of by a line each.

import { AppError } from '../app-error.ts';

export class CountedRefusal extends AppError {}
