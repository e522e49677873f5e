// Defaults for choices, checklist, and consents, typical for small businesses in the US. The funding service documents no values.

import { contactConsentId } from '../../shared/application/consent.ts';
import { documentCategoryIds } from '../../shared/application/document-categories.ts';
import type { ChecklistSetting, ChoiceSetting, ConsentSetting } from './settings.ts';

/** @param rows wire value, English label, and Spanish label. */
function toChoices(
  rows: readonly (readonly [value: string, en: string, es: string])[],
): readonly ChoiceSetting[] {
  return rows.map(([value, en, es]) => ({ value, label: { en, es } }));
}

export const defaultFundingReasons = toChoices([
  ['Working Capital', 'Working capital', 'Capital de trabajo'],
  ['Expansion', 'Growing or opening a location', 'Ampliar el negocio o abrir otro local'],
  ['Equipment', 'Equipment or vehicles', 'Equipo o vehículos'],
  ['Inventory', 'Inventory', 'Inventario'],
  ['Payroll', 'Payroll or hiring', 'Nómina o contratación de personal'],
  ['Marketing', 'Marketing', 'Publicidad y mercadeo'],
  ['Remodeling', 'Remodeling or repairs', 'Remodelación o reparaciones'],
  ['Debt Refinancing', 'Refinancing debt', 'Refinanciamiento de deudas'],
  ['Business Purchase', 'Buying a business', 'Compra de un negocio'],
  ['Taxes', 'Taxes', 'Impuestos'],
  ['Other', 'Something else', 'Otro motivo'],
]);

export const defaultBusinessTypes = toChoices([
  ['Sole Proprietorship', 'Sole proprietorship', 'Propietario único (sole proprietorship)'],
  ['LLC', 'Limited liability company (LLC)', 'LLC (compañía de responsabilidad limitada)'],
  ['Corporation', 'C corporation', 'Corporación de tipo C'],
  ['S Corporation', 'S corporation', 'Corporación de tipo S'],
  ['Partnership', 'General partnership', 'Sociedad colectiva (general partnership)'],
  ['Limited Partnership', 'Limited partnership (LP)', 'LP (sociedad en comandita)'],
  [
    'Limited Liability Partnership',
    'Limited liability partnership (LLP)',
    'LLP (sociedad colectiva de responsabilidad limitada)',
  ],
  [
    'Professional Corporation',
    'Professional corporation or PLLC',
    'Corporación profesional o PLLC',
  ],
  ['Non-Profit', 'Nonprofit', 'Organización sin fines de lucro'],
  ['Other', 'Something else', 'Otro tipo de entidad'],
]);

export const defaultCreditScores = toChoices([
  ['720+', 'Excellent (720 or higher)', 'Excelente (720 o más)'],
  ['680-719', 'Good (680 to 719)', 'Bueno (de 680 a 719)'],
  ['640-679', 'Fair (640 to 679)', 'Regular (de 640 a 679)'],
  ['600-639', 'Below average (600 to 639)', 'Por debajo del promedio (de 600 a 639)'],
  ['550-599', 'Poor (550 to 599)', 'Bajo (de 550 a 599)'],
  ['Below 550', 'Very poor (below 550)', 'Muy bajo (menos de 550)'],
]);

/** Documents that every applicant has, including a sole proprietor: everybody can complete the checklist. */
export const defaultChecklist: readonly ChecklistSetting[] = [
  {
    id: 'bank-statements',
    label: { en: 'Last three bank statements', es: 'Los últimos tres estados de cuenta bancarios' },
    categories: documentCategoryIds.filter((id) => id.includes('bank-statements')),
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
export const placeholderMarks = {
  en: '[Placeholder – replace before production]',
  es: '[Texto provisional: reemplácelo antes de producción]',
};

/** Id, English label, Spanish label, English text, and Spanish text. */
const consentRows = [
  [
    'credit-authorization',
    'I authorize a review of my credit and business information.',
    'Autorizo la revisión de mi información de crédito y de mi negocio.',
    'By checking this box I give written instructions under the Fair Credit Reporting Act to obtain my consumer report and information about my business, now and while this application is open, to decide on my request for funding.',
    'Al marcar esta casilla doy instrucciones por escrito, conforme a la Ley de Informe Imparcial de Crédito (Fair Credit Reporting Act), para que se obtengan mi informe del consumidor e información sobre mi negocio, ahora y mientras esta solicitud esté abierta, con el fin de decidir sobre mi solicitud de financiamiento.',
  ],
  [
    'electronic-records',
    'I agree to receive records electronically and to sign by typing my name.',
    'Acepto recibir documentos de forma electrónica y firmar escribiendo mi nombre.',
    'I agree to receive disclosures and records electronically, I can open and keep them, and I may ask for paper copies or withdraw this consent at any time by contacting support.',
    'Acepto recibir divulgaciones y documentos de forma electrónica, puedo abrirlos y conservarlos, y puedo pedir copias en papel o retirar este consentimiento en cualquier momento si me comunico con el servicio de atención.',
  ],
  [
    'terms',
    'I confirm that my answers are true, and I accept the terms and the privacy notice.',
    'Confirmo que mis respuestas son verdaderas y acepto los términos y el aviso de privacidad.',
    'I am authorized to apply for this business, everything I gave is true and complete to the best of my knowledge, and I accept the terms of use and the privacy notice.',
    'Tengo autorización para presentar esta solicitud en nombre del negocio, todo lo que indiqué es verdadero y completo según mi leal saber y entender, y acepto los términos de uso y el aviso de privacidad.',
  ],
  [
    contactConsentId,
    'Lenders may call or text me about this application.',
    'Los prestamistas pueden llamarme o enviarme mensajes de texto sobre esta solicitud.',
    'I agree that the lender and its representatives may call and text me at the number I gave, also by automated means, about this application. Consent is not a condition of applying, and I may withdraw it at any time.',
    'Acepto que el prestamista y sus representantes me llamen y me envíen mensajes de texto al número que indiqué, también por medios automatizados, sobre esta solicitud. Este consentimiento no es una condición para presentar la solicitud, y puedo retirarlo en cualquier momento.',
  ],
] as const;

export const defaultConsents: readonly ConsentSetting[] = consentRows.map(
  ([id, labelEn, labelEs, textEn, textEs]) => ({
    id,
    version: 'placeholder-1',
    label: { en: labelEn, es: labelEs },
    text: { en: `${placeholderMarks.en} ${textEn}`, es: `${placeholderMarks.es} ${textEs}` },
    required: id !== contactConsentId,
  }),
);
