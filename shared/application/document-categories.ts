// The 40 document categories of the funding service: our id, the wire value, the label for people, and a group.

import type { Locale } from './lists.ts';

/** The groups of the category picker, in display order. */
export const documentCategoryGroups = [
  'bank-statements',
  'identity',
  'financials',
  'ownership',
  'debt',
  'lender',
  'other',
] as const;

export type DocumentCategoryGroup = (typeof documentCategoryGroups)[number];

export interface DocumentCategory {
  /** Our own stable id, used in `/v1` and in the settings file. */
  readonly id: string;
  /** The value that the funding service accepts, misspellings included (spec, "Allowed document categories"). */
  readonly wire: string;
  /** The name that people read, with corrected spelling. */
  readonly label: Readonly<Record<Locale, string>>;
  readonly group: DocumentCategoryGroup;
  /** A category of the lender's staff. Applicants see it only if the partner's settings list it. */
  readonly internal?: true;
}

export const documentCategories = [
  {
    id: 'bank-statements-jan',
    wire: 'Bank Statements - Jan',
    label: { en: 'Bank statement, January', es: 'Estado de cuenta, enero' },
    group: 'bank-statements',
  },
  {
    id: 'bank-statements-feb',
    wire: 'Bank Statements - Feb',
    label: { en: 'Bank statement, February', es: 'Estado de cuenta, febrero' },
    group: 'bank-statements',
  },
  {
    id: 'bank-statements-mar',
    wire: 'Bank Statements - Mar',
    label: { en: 'Bank statement, March', es: 'Estado de cuenta, marzo' },
    group: 'bank-statements',
  },
  {
    id: 'bank-statements-apr',
    wire: 'Bank Statements - Apr',
    label: { en: 'Bank statement, April', es: 'Estado de cuenta, abril' },
    group: 'bank-statements',
  },
  {
    id: 'bank-statements-may',
    wire: 'Bank Statements - May',
    label: { en: 'Bank statement, May', es: 'Estado de cuenta, mayo' },
    group: 'bank-statements',
  },
  {
    id: 'bank-statements-jun',
    wire: 'Bank Statements - Jun',
    label: { en: 'Bank statement, June', es: 'Estado de cuenta, junio' },
    group: 'bank-statements',
  },
  {
    id: 'bank-statements-jul',
    wire: 'Bank Statements - Jul',
    label: { en: 'Bank statement, July', es: 'Estado de cuenta, julio' },
    group: 'bank-statements',
  },
  {
    id: 'bank-statements-aug',
    wire: 'Bank Statements - Aug',
    label: { en: 'Bank statement, August', es: 'Estado de cuenta, agosto' },
    group: 'bank-statements',
  },
  {
    id: 'bank-statements-sept',
    wire: 'Bank Statements - Sept',
    label: { en: 'Bank statement, September', es: 'Estado de cuenta, septiembre' },
    group: 'bank-statements',
  },
  {
    id: 'bank-statements-oct',
    wire: 'Bank Statements - Oct',
    label: { en: 'Bank statement, October', es: 'Estado de cuenta, octubre' },
    group: 'bank-statements',
  },
  {
    id: 'bank-statements-nov',
    wire: 'Bank Statements - Nov',
    label: { en: 'Bank statement, November', es: 'Estado de cuenta, noviembre' },
    group: 'bank-statements',
  },
  {
    id: 'bank-statements-dec',
    wire: 'Bank Statements - Dec',
    label: { en: 'Bank statement, December', es: 'Estado de cuenta, diciembre' },
    group: 'bank-statements',
  },
  {
    id: 'signed-application',
    wire: 'Signed Application',
    label: { en: 'Signed application', es: 'Solicitud firmada' },
    group: 'ownership',
  },
  {
    id: 'drivers-license',
    wire: "Driver's License",
    label: { en: 'Driver’s license', es: 'Licencia de conducir' },
    group: 'identity',
  },
  {
    id: 'voided-check',
    wire: 'Voided Check',
    label: { en: 'Voided check', es: 'Cheque anulado' },
    group: 'bank-statements',
  },
  {
    id: 'proof-of-citizenship',
    wire: 'Proof of Citizenship',
    label: { en: 'Proof of citizenship', es: 'Comprobante de ciudadanía' },
    group: 'identity',
  },
  {
    id: 'bank-statements',
    wire: 'Bank Statements',
    label: { en: 'Bank statements, several months', es: 'Estados de cuenta, varios meses' },
    group: 'bank-statements',
  },
  {
    id: 'month-to-date-bank-statements',
    wire: 'Month to Date Bank Statement(s)',
    label: { en: 'Month-to-date bank statement', es: 'Estado de cuenta, mes en curso' },
    group: 'bank-statements',
  },
  {
    id: 'business-tax-return',
    wire: 'Business Tax Return',
    label: { en: 'Business tax return', es: 'Declaración de impuestos del negocio' },
    group: 'financials',
  },
  {
    id: 'tax-return-extension',
    wire: 'Tax Return Extenstion',
    label: { en: 'Tax return extension', es: 'Prórroga de la declaración de impuestos' },
    group: 'financials',
  },
  {
    id: 'profit-and-loss',
    wire: 'Year to Date Profit & Loss and Balance Sheet',
    label: {
      en: 'Year-to-date profit and loss, and balance sheet',
      es: 'Estado de resultados del año en curso y balance general',
    },
    group: 'financials',
  },
  {
    id: 'aging-report',
    wire: 'Cuurent Aging AR and AP Report',
    label: {
      en: 'Current accounts receivable and payable aging report',
      es: 'Informe actual de antigüedad de cuentas por cobrar y por pagar',
    },
    group: 'financials',
  },
  {
    id: 'wip-report',
    wire: 'WIP Report',
    label: { en: 'Work-in-progress (WIP) report', es: 'Informe de trabajos en curso (WIP)' },
    group: 'financials',
  },
  {
    id: 'proof-of-ownership',
    wire: 'Proof of Ownership',
    label: { en: 'Proof of ownership', es: 'Comprobante de propiedad del negocio' },
    group: 'ownership',
  },
  {
    id: 'operating-agreement',
    wire: 'Operating Agreement',
    label: { en: 'Operating agreement', es: 'Acuerdo operativo de la empresa' },
    group: 'ownership',
  },
  {
    id: 'purchase-agreement',
    wire: 'Purchase Agreement',
    label: { en: 'Purchase agreement', es: 'Contrato de compraventa' },
    group: 'ownership',
  },
  {
    id: 'ein-letter',
    wire: 'EIN Letter',
    label: { en: 'EIN letter from the IRS', es: 'Carta del IRS con el EIN' },
    group: 'ownership',
  },
  {
    id: 'utility-bill',
    wire: 'Utility Bill',
    label: { en: 'Utility bill', es: 'Factura de servicios públicos' },
    group: 'identity',
  },
  {
    id: 'proof-of-good-standing',
    wire: 'Proof of Good Standing with the SOS',
    label: {
      en: 'Proof of good standing with the Secretary of State',
      es: 'Certificado de vigencia (good standing) de la Secretaría de Estado',
    },
    group: 'ownership',
  },
  {
    id: 'tax-lien-payment-plan',
    wire: 'Tax Lien Payment Plan',
    label: { en: 'Tax lien payment plan', es: 'Plan de pago de un gravamen fiscal' },
    group: 'debt',
  },
  {
    id: 'ucc-filings',
    wire: 'Documentation on UCC Filing(s)',
    label: { en: 'Documents about UCC filings', es: 'Documentos sobre registros UCC' },
    group: 'debt',
  },
  {
    id: 'zero-balance-letter',
    wire: 'Zero Balance letter',
    label: { en: 'Zero balance letter', es: 'Carta de saldo cero' },
    group: 'debt',
  },
  {
    id: 'payoff-letter',
    wire: 'Payoff Letter',
    label: { en: 'Payoff letter', es: 'Carta de liquidación del préstamo' },
    group: 'debt',
  },
  {
    id: 'merchant-interview',
    wire: 'Merchant Interview',
    label: { en: 'Merchant interview', es: 'Entrevista con el comerciante' },
    group: 'lender',
    internal: true,
  },
  {
    id: 'signed-contracts',
    wire: 'Signed Contracts',
    label: { en: 'Signed contracts', es: 'Contratos firmados' },
    group: 'lender',
    internal: true,
  },
  {
    id: 'bank-verification',
    wire: 'Bank Verification -Aggregator',
    label: { en: 'Bank verification', es: 'Verificación bancaria' },
    group: 'lender',
    internal: true,
  },
  {
    id: 'funding-call',
    wire: 'Funding Call',
    label: { en: 'Funding call', es: 'Llamada de financiamiento' },
    group: 'lender',
    internal: true,
  },
  {
    id: 'other',
    wire: 'Other',
    label: { en: 'Something else', es: 'Otro documento' },
    group: 'other',
  },
  { id: 'psf', wire: 'PSF', label: { en: 'PSF', es: 'PSF' }, group: 'lender', internal: true },
  {
    id: 'bank-letter',
    wire: 'Bank Letter',
    label: { en: 'Letter from your bank', es: 'Carta de su banco' },
    group: 'bank-statements',
  },
] as const satisfies readonly DocumentCategory[];

export type DocumentCategoryId = (typeof documentCategories)[number]['id'];

// The annotation lets the bundler drop the list from the widget, which uses the groups only.
export const documentCategoryIds: readonly DocumentCategoryId[] =
  /* @__PURE__ */ documentCategories.map(({ id }) => id);

/** The categories that an applicant may choose. Internal ones are included only if `shownInternalIds` lists them. */
export function listApplicantCategories(
  shownInternalIds: readonly DocumentCategoryId[],
): readonly (DocumentCategory & { readonly id: DocumentCategoryId })[] {
  return documentCategories.filter(
    (category) => !('internal' in category) || shownInternalIds.includes(category.id),
  );
}

/**
 * The wire value of a category. One of the values contains the name of the aggregation provider, which is configuration.
 * Throws a RangeError if there is no category with this id.
 */
export function toDocumentCategoryWire(id: string, aggregatorName: string): string {
  if (id === 'bank-verification') return `Bank Verification -${aggregatorName}`;
  const category = documentCategories.find((candidate) => candidate.id === id);
  if (!category) throw new RangeError(`${id} is not the id of a document category`);
  return category.wire;
}
