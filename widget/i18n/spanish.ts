// The Spanish form in one piece, loaded when somebody reads Spanish.

import { es } from './es.ts';
import { esProblems } from './es-problems.ts';

export const spanish = { ...es, ...esProblems } as const;
