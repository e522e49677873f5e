// Every screen of the element, in the order in which an applicant meets them.

import type { Page } from '@playwright/test';
import { shootForm, shootSubmission } from './form-screens.ts';
import { shootHandoff } from './handoff-screens.ts';
import type { Shoot } from './page-actions.ts';
import {
  shootBank,
  shootDocuments,
  shootFinish,
  shootOffers,
  shootStatus,
} from './sent-screens.ts';

export const screens: readonly ((page: Page, shoot: Shoot) => Promise<void>)[] = [
  shootForm,
  shootSubmission,
  shootStatus,
  shootDocuments,
  shootHandoff,
  shootBank,
  shootOffers,
  shootFinish,
];
