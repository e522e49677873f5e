// Defaults for choices, checklist, and consents, typical for small businesses in the US. The funding service documents no values.

import { contactConsentId } from '../../shared/application/consent.ts';
import type { LocalizedText } from '../../shared/application/application.ts';
import type { ChecklistSetting, ChoiceSetting, ConsentSetting } from './settings.ts';
import { listTexts } from './localized-text.ts';

export const defaultFundingReasons: readonly ChoiceSetting[] = [
  { value: 'Working Capital', label: { en: 'Working capital', es: 'Capital de trabajo' } },
  {
    value: 'Expansion',
    label: { en: 'Growing or opening a location', es: 'Ampliar el negocio o abrir otro local' },
  },
  { value: 'Equipment', label: { en: 'Equipment or vehicles', es: 'Equipo o vehículos' } },
  { value: 'Inventory', label: { en: 'Inventory', es: 'Inventario' } },
  { value: 'Payroll', label: { en: 'Payroll or hiring', es: 'Nómina o contratación de personal' } },
  { value: 'Marketing', label: { en: 'Marketing', es: 'Publicidad y mercadeo' } },
  {
    value: 'Remodeling',
    label: { en: 'Remodeling or repairs', es: 'Remodelación o reparaciones' },
  },
  {
    value: 'Debt Refinancing',
    label: { en: 'Refinancing debt', es: 'Refinanciamiento de deudas' },
  },
  { value: 'Business Purchase', label: { en: 'Buying a business', es: 'Compra de un negocio' } },
  { value: 'Taxes', label: { en: 'Taxes', es: 'Impuestos' } },
  { value: 'Other', label: { en: 'Something else', es: 'Otro motivo' } },
];

export const defaultBusinessTypes: readonly ChoiceSetting[] = [
  {
    value: 'Sole Proprietorship',
    label: { en: 'Sole proprietorship', es: 'Propietario único (sole proprietorship)' },
  },
  {
    value: 'LLC',
    label: {
      en: 'Limited liability company (LLC)',
      es: 'LLC (compañía de responsabilidad limitada)',
    },
  },
  { value: 'Corporation', label: { en: 'C corporation', es: 'Corporación de tipo C' } },
  { value: 'S Corporation', label: { en: 'S corporation', es: 'Corporación de tipo S' } },
  {
    value: 'Partnership',
    label: { en: 'General partnership', es: 'Sociedad colectiva (general partnership)' },
  },
  {
    value: 'Limited Partnership',
    label: { en: 'Limited partnership (LP)', es: 'LP (sociedad en comandita)' },
  },
  {
    value: 'Limited Liability Partnership',
    label: {
      en: 'Limited liability partnership (LLP)',
      es: 'LLP (sociedad colectiva de responsabilidad limitada)',
    },
  },
  {
    value: 'Professional Corporation',
    label: { en: 'Professional corporation or PLLC', es: 'Corporación profesional o PLLC' },
  },
  { value: 'Non-Profit', label: { en: 'Nonprofit', es: 'Organización sin fines de lucro' } },
  { value: 'Other', label: { en: 'Something else', es: 'Otro tipo de entidad' } },
];

export const defaultCreditScores: readonly ChoiceSetting[] = [
  { value: '720+', label: { en: 'Excellent (720 or higher)', es: 'Excelente (720 o más)' } },
  { value: '680-719', label: { en: 'Good (680 to 719)', es: 'Bueno (de 680 a 719)' } },
  { value: '640-679', label: { en: 'Fair (640 to 679)', es: 'Regular (de 640 a 679)' } },
  {
    value: '600-639',
    label: { en: 'Below average (600 to 639)', es: 'Por debajo del promedio (de 600 a 639)' },
  },
  { value: '550-599', label: { en: 'Poor (550 to 599)', es: 'Bajo (de 550 a 599)' } },
  { value: 'Below 550', label: { en: 'Very poor (below 550)', es: 'Muy bajo (menos de 550)' } },
];

/** Documents that every applicant has, including a sole proprietor: everybody can complete the checklist. */
export const defaultChecklist: readonly ChecklistSetting[] = [
  {
    id: 'bank-statements',
    label: { en: 'Last three bank statements', es: 'Los últimos tres estados de cuenta bancarios' },
    categories: [
      'bank-statements-jan',
      'bank-statements-feb',
      'bank-statements-mar',
      'bank-statements-apr',
      'bank-statements-may',
      'bank-statements-jun',
      'bank-statements-jul',
      'bank-statements-aug',
      'bank-statements-sept',
      'bank-statements-oct',
      'bank-statements-nov',
      'bank-statements-dec',
      'bank-statements',
      'month-to-date-bank-statements',
    ],
    count: 3,
  },
  {
    id: 'identity',
    label: {
      en: "Driver's license or other photo ID",
      es: 'Licencia de conducir u otra identificación con foto',
    },
    categories: ['drivers-license', 'proof-of-citizenship'],
    count: 1,
  },
  {
    id: 'voided-check',
    label: { en: 'Voided check', es: 'Cheque anulado' },
    categories: ['voided-check'],
    count: 1,
  },
];

/** Starts every text that the partner's counsel must replace. Production refuses it. */
const placeholderMarks = {
  en: '[Placeholder – replace before production]',
  es: '[Texto provisional: reemplácelo antes de producción]',
};

export const defaultConsents: readonly ConsentSetting[] = [
  {
    id: 'credit-authorization',
    version: 'placeholder-1',
    label: {
      en: 'I authorize a review of my credit and business information.',
      es: 'Autorizo la revisión de mi información de crédito y de mi negocio.',
    },
    text: {
      en: `${placeholderMarks.en} By checking this box I give written instructions under the Fair Credit Reporting Act to obtain my consumer report and information about my business, now and while this application is open, to decide on my request for funding.`,
      es: `${placeholderMarks.es} Al marcar esta casilla doy instrucciones por escrito, conforme a la Ley de Informe Imparcial de Crédito (Fair Credit Reporting Act), para que se obtengan mi informe del consumidor e información sobre mi negocio, ahora y mientras esta solicitud esté abierta, con el fin de decidir sobre mi solicitud de financiamiento.`,
    },
    required: true,
  },
  {
    id: 'electronic-records',
    version: 'placeholder-1',
    label: {
      en: 'I agree to receive records electronically and to sign by typing my name.',
      es: 'Acepto recibir documentos de forma electrónica y firmar escribiendo mi nombre.',
    },
    text: {
      en: `${placeholderMarks.en} I agree to receive disclosures and records electronically, I can open and keep them, and I may ask for paper copies or withdraw this consent at any time by contacting support.`,
      es: `${placeholderMarks.es} Acepto recibir divulgaciones y documentos de forma electrónica, puedo abrirlos y conservarlos, y puedo pedir copias en papel o retirar este consentimiento en cualquier momento si me comunico con el servicio de atención.`,
    },
    required: true,
  },
  {
    id: 'terms',
    version: 'placeholder-1',
    label: {
      en: 'I confirm that my answers are true, and I accept the terms and the privacy notice.',
      es: 'Confirmo que mis respuestas son verdaderas y acepto los términos y el aviso de privacidad.',
    },
    text: {
      en: `${placeholderMarks.en} I am authorized to apply for this business, everything I gave is true and complete to the best of my knowledge, and I accept the terms of use and the privacy notice.`,
      es: `${placeholderMarks.es} Tengo autorización para presentar esta solicitud en nombre del negocio, todo lo que indiqué es verdadero y completo según mi leal saber y entender, y acepto los términos de uso y el aviso de privacidad.`,
    },
    required: true,
  },
  {
    id: contactConsentId,
    version: 'placeholder-1',
    label: {
      en: 'Lenders may call or text me about this application.',
      es: 'Los prestamistas pueden llamarme o enviarme mensajes de texto sobre esta solicitud.',
    },
    text: {
      en: `${placeholderMarks.en} I agree that the lender and its representatives may call and text me at the number I gave, also by automated means, about this application. Consent is not a condition of applying, and I may withdraw it at any time.`,
      es: `${placeholderMarks.es} Acepto que el prestamista y sus representantes me llamen y me envíen mensajes de texto al número que indiqué, también por medios automatizados, sobre esta solicitud. Este consentimiento no es una condición para presentar la solicitud, y puedo retirarlo en cualquier momento.`,
    },
    required: false,
  },
];

/** Whether the consent has a default version or a placeholder mark. */
export function isPlaceholder({ version, label, text, links = [] }: ConsentSetting): boolean {
  const texts = [label, text, ...links.map((link) => link.label)];
  return version.startsWith('placeholder') || texts.some(hasPlaceholderMark);
}

/** Whether the text has the mark in any language. */
export function hasPlaceholderMark(text: LocalizedText): boolean {
  const marks = Object.values(placeholderMarks);
  return listTexts(text).some((words) => marks.some((mark) => words.includes(mark)));
}
