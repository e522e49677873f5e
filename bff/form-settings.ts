// The settings that applicants read: choices, consents and the checklist, in the languages of the form.

import * as z from 'zod/mini';
import { choiceSchema } from '../shared/api/configuration.ts';
import { consentSchema, contactConsentId } from '../shared/application/consent.ts';
import { documentCategoryIds } from '../shared/application/document-categories.ts';
import { consentLinksSettingSchema, endsUnlikeLinks, oneLine } from './consent-links.ts';
import { localized } from './localized-text.ts';

/** `value` goes on the wire and is the same in every language. */
export const choiceSettingSchema = z.extend(choiceSchema, {
  label: localized(choiceSchema.shape.label),
});

/**
 * One consent in all its languages: whoever changes or adds a text or a link in one of them gives the consent a new `version`. The
 * contact consent is never `required`: it must not be a condition of applying (47 CFR 64.1200(f)(9)(i)(B)).
 */
export const consentSettingSchema = z
  .extend(consentSchema, {
    label: localized(consentSchema.shape.label.check(oneLine)),
    text: localized(consentSchema.shape.text.check(endsUnlikeLinks)),
    /** The documents it speaks of, to be read before it is given: `[{"label": "Terms of use", "url": "https://…"}]`, five at most. */
    links: z.optional(consentLinksSettingSchema),
  })
  .check(
    z.refine(({ id, required }) => id !== contactConsentId || !required, {
      path: ['required'],
      error: 'must be false: nobody has to accept calls to apply (47 CFR 64.1200)',
    }),
  );

/** A line of the checklist is ticked once `count` files of its `categories` are there; the categories have to be open to applicants. */
export const checklistSettingSchema = z.strictObject({
  id: z.string().check(z.regex(/^[a-z][a-z0-9-]{0,40}$/)),
  label: localized(z.string().check(z.minLength(1), z.maxLength(300))),
  categories: z.array(z.enum(documentCategoryIds)).check(z.minLength(1)),
  count: z.int().check(z.gte(1), z.lte(200)),
});

export type ChoiceSetting = z.infer<typeof choiceSettingSchema>;
export type ConsentSetting = z.infer<typeof consentSettingSchema>;
export type ChecklistSetting = z.infer<typeof checklistSettingSchema>;
