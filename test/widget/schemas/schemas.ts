// Every schema the widget parses with, and a few that put the corners of zod's functions together; bundled once more with the stand-in.

import * as z from 'zod/mini';
import { applicationStatusSchema } from '../../../shared/api/application-status.ts';
import {
  bankReportStatusSchema,
  contactResponseSchema,
  documentStatusSchema,
} from '../../../shared/api/attachments.ts';
import { bankReportSchema } from '../../../shared/api/bank-report.ts';
import { configurationSchema } from '../../../shared/api/configuration.ts';
import { offersSchema } from '../../../shared/api/offers.ts';
import { problemSchema } from '../../../shared/api/problems.ts';
import { sessionSchema } from '../../../shared/api/session.ts';
import { createApplicationSchemas } from '../../../shared/application/application.ts';
import { text, wholeNumber } from '../../../shared/application/fields.ts';

const rules = {
  fundingReasons: ['Equipment', 'Working Capital'],
  businessTypes: ['LLC', 'Corporation'],
  creditScores: ['680-719', '720+'],
  now: () => new Date('2026-11-20T15:00:00Z'),
} as const;

const loose = createApplicationSchemas({ ...rules, requiredFields: [] });
const strict = createApplicationSchemas({
  ...rules,
  requiredFields: ['birthDate', 'ssn', 'taxId', 'ownershipPercent', 'employees'],
});

const corners = z.object({
  plain: z.string(),
  worded: z.string('word').check(z.minLength(2), z.maxLength(3), z.regex(/^\S+$/)),
  explained: z.string({ error: ({ input }) => (input === 'a' ? undefined : `no ${typeof input}`) }),
  figure: z.number('figure').check(z.gte(0), z.lte(10, 'much')),
  whole: z.optional(wholeNumber(1, 12)),
  last: z.int().check(
    z.refine((value) => value % 2 === 0, { error: 'odd', abort: true }),
    z.lte(8),
  ),
  list: z.array(z.nullable(z.optional(z.boolean()))).check(z.maxLength(2)),
  either: z.nullable(z.literal(['one', 2])),
  // oxlint-disable-next-line promise/valid-params -- no promise: the schema's own catch.
  mended: z.catch(z.optional(z.enum(['yes', 'no'])), 'no'),
  // oxlint-disable-next-line promise/valid-params -- no promise: the schema's own catch.
  mendedObject: z.catch(z.looseObject({ name: text() }), { name: 'nobody' }),
  nothing: z.undefined(),
  open: z.looseObject({ start: z.int(), end: z.optional(z.int()) }).check(
    z.refine(({ start, end }) => end === undefined || start <= end, { path: ['end'] }),
    z.refine(() => false, { error: 'told', when: ({ value }) => value === 'tell' }),
  ),
});

export const schemas = {
  applicationStatus: applicationStatusSchema,
  assetReport: bankReportSchema,
  assetReportStatus: bankReportStatusSchema,
  configuration: configurationSchema,
  contactAnswer: contactResponseSchema,
  documentStatus: documentStatusSchema,
  offers: offersSchema,
  problem: problemSchema,
  session: sessionSchema,
  ended: z.undefined(),
  fundingNeed: loose.fundingNeed,
  business: loose.business,
  strictBusiness: strict.business,
  owner: loose.owner,
  strictOwner: strict.owner,
  signature: loose.signature,
  application: strict.application,
  corners,
};
