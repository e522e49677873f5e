// What people read for each document category, in the languages of the form; the service's misspellings are not repeated here.

import type { DocumentCategoryId } from './document-categories.ts';
import type { Locale } from './locales.ts';

export const documentCategoryLabels: Readonly<
  Record<DocumentCategoryId, Readonly<Record<Locale, string>>>
> = {
  'bank-statements-jan': { en: 'Bank statement, January', es: 'Estado de cuenta, enero' },
  'bank-statements-feb': {
    en: 'Bank statement, February',
    es: 'Estado de cuenta, febrero',
  },
  'bank-statements-mar': { en: 'Bank statement, March', es: 'Estado de cuenta, marzo' },
  'bank-statements-apr': { en: 'Bank statement, April', es: 'Estado de cuenta, abril' },
  'bank-statements-may': { en: 'Bank statement, May', es: 'Estado de cuenta, mayo' },
  'bank-statements-jun': { en: 'Bank statement, June', es: 'Estado de cuenta, junio' },
  'bank-statements-jul': { en: 'Bank statement, July', es: 'Estado de cuenta, julio' },
  'bank-statements-aug': { en: 'Bank statement, August', es: 'Estado de cuenta, agosto' },
  'bank-statements-sept': {
    en: 'Bank statement, September',
    es: 'Estado de cuenta, septiembre',
  },
  'bank-statements-oct': {
    en: 'Bank statement, October',
    es: 'Estado de cuenta, octubre',
  },
  'bank-statements-nov': {
    en: 'Bank statement, November',
    es: 'Estado de cuenta, noviembre',
  },
  'bank-statements-dec': {
    en: 'Bank statement, December',
    es: 'Estado de cuenta, diciembre',
  },
  'signed-application': { en: 'Signed application', es: 'Solicitud firmada' },
  'drivers-license': { en: "Driver's license", es: 'Licencia de conducir' },
  'voided-check': { en: 'Voided check', es: 'Cheque anulado' },
  'proof-of-citizenship': { en: 'Proof of citizenship', es: 'Comprobante de ciudadanía' },
  'bank-statements': {
    en: 'Bank statements, several months',
    es: 'Estados de cuenta, varios meses',
  },
  'month-to-date-bank-statements': {
    en: 'Month-to-date bank statement',
    es: 'Estado de cuenta, mes en curso',
  },
  'business-tax-return': { en: 'Business tax return', es: 'Declaración de impuestos del negocio' },
  'tax-return-extension': {
    en: 'Tax return extension',
    es: 'Prórroga de la declaración de impuestos',
  },
  'profit-and-loss': {
    en: 'Year-to-date profit and loss, and balance sheet',
    es: 'Estado de resultados del año en curso y balance general',
  },
  'aging-report': {
    en: 'Current accounts receivable and payable aging report',
    es: 'Informe actual de antigüedad de cuentas por cobrar y por pagar',
  },
  'wip-report': { en: 'Work-in-progress (WIP) report', es: 'Informe de trabajos en curso (WIP)' },
  'proof-of-ownership': { en: 'Proof of ownership', es: 'Comprobante de propiedad del negocio' },
  'operating-agreement': { en: 'Operating agreement', es: 'Acuerdo operativo de la empresa' },
  'purchase-agreement': { en: 'Purchase agreement', es: 'Contrato de compraventa' },
  'ein-letter': { en: 'EIN letter from the IRS', es: 'Carta del IRS con el EIN' },
  'utility-bill': { en: 'Utility bill', es: 'Factura de servicios públicos' },
  'proof-of-good-standing': {
    en: 'Proof of good standing with the Secretary of State',
    es: 'Certificado de vigencia (good standing) de la Secretaría de Estado',
  },
  'tax-lien-payment-plan': {
    en: 'Tax lien payment plan',
    es: 'Plan de pago de un gravamen fiscal',
  },
  'ucc-filings': { en: 'Documents about UCC filings', es: 'Documentos sobre registros UCC' },
  'zero-balance-letter': { en: 'Zero balance letter', es: 'Carta de saldo cero' },
  'payoff-letter': { en: 'Payoff letter', es: 'Carta de liquidación del préstamo' },
  'merchant-interview': { en: 'Merchant interview', es: 'Entrevista con el comerciante' },
  'signed-contracts': { en: 'Signed contracts', es: 'Contratos firmados' },
  'bank-verification': { en: 'Bank verification', es: 'Verificación bancaria' },
  'funding-call': { en: 'Funding call', es: 'Llamada de financiamiento' },
  other: { en: 'Something else', es: 'Otro documento' },
  psf: { en: 'PSF', es: 'PSF' },
  'bank-letter': { en: 'Letter from your bank', es: 'Carta de su banco' },
};
