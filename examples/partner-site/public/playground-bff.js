// Answers in place of the BFF for the steps after the submission, with made-up data. Nothing that the form sends leaves the page.

const minuteMs = 60_000;
/** The sandbox's delay of each operation with the tag `slow`. */
const slowMs = 8_000;

/** Made-up offers. The payments and the total cost follow from the first five figures. */
const terms = [
  ['Term loan', 75_000, 24, 'Monthly', 18.2, 24.9, 750, 2_250],
  ['Revenue-based advance', 60_000, 12, 'Weekly', 41.5, 52.3, 1_800, 1_800],
  ['Line of credit', 40_000, 18, 'Biweekly', 27.4, 31.9, 400, 900],
  ['Equipment loan', 68_000, 36, 'Monthly', 14.6, 16.2, 500, 500],
  ['Term loan', 50_000, 12, 'Monthly', 21.9, 25.5, 600, 1_100],
  ['SBA Express loan', 45_000, 60, 'Monthly', 13.8, 14.9, 900, 900],
  ['Invoice financing', 25_000, 6, 'Weekly', 33, 44.7, 250, 250],
  ['Business credit line', 15_000, 9, 'Monthly', 29.9, 35.2, 150, 300],
];
const paymentsPerYear = { Monthly: 12, Biweekly: 26, Weekly: 52 };

function createOffer([product, amount, termMonths, paymentFrequency, ...costs], index) {
  const [aprLow, aprHigh, feeLow, feeHigh] = costs;
  const perYear = paymentsPerYear[paymentFrequency];
  const count = Math.round((termMonths / 12) * perYear);
  const rate = aprLow / 100 / perYear;
  const paymentAmount = Math.round((amount * rate) / (1 - (1 + rate) ** -count));
  const totalCost = paymentAmount * count;
  return {
    id: `made-up-${index + 1}`,
    product,
    amount,
    termMonths,
    paymentFrequency,
    paymentAmount,
    monthlyRate: Math.round((aprLow / 12) * 100) / 100,
    aprLow,
    aprHigh,
    feeLow,
    feeHigh,
    disclosures:
      'This offer is made up for the playground. A lender’s own disclosures appear here, whole.',
    totalCost,
    centsOnTheDollar: Math.round((totalCost / amount) * 100) / 100,
    totalInterest: totalCost - amount,
  };
}

/** As the sandbox's outcome `untidy offers`: some figures are missing. */
function withoutFigures(offer, index) {
  const missing = [
    { aprLow: null, aprHigh: null },
    { termMonths: null, feeHigh: null, product: null },
    { paymentAmount: null, totalCost: null, totalInterest: null, centsOnTheDollar: null },
  ];
  return { ...offer, ...missing[index % missing.length] };
}

const offers = terms.map(createOffer);
const three = offers.slice(0, 3);
const qualified = (some) => ({ decision: 'qualified', offers: some });
const pending = { decision: 'pending', offers: [] };
/**
 * The screens after the submission, by the tag of the outcome; '' is the sandbox's automatic outcome, without the wait.
 * An application without an `answer` has not reached the lender.
 */
export const outcomes = {
  '': { answer: qualified(three) },
  'not qualified': { answer: { decision: 'not-qualified', offers: [] } },
  'no offers': { answer: pending },
  'offers now': { answer: qualified(three) },
  'one offer': { answer: qualified(offers.slice(0, 1)) },
  'many offers': { answer: qualified(offers) },
  'untidy offers': { answer: qualified(three.map(withoutFigures)) },
  // The form offers the contact request when a decision takes longer than an hour.
  'do not contact': { answer: pending, minutes: 120 },
  slow: { answer: qualified(three), delayMs: slowMs },
  'lost answer': { status: 'confirming', delayed: true },
  outage: { status: 'received', delayed: true },
};

const success = (value) => ({ ok: true, value });
const failure = (code) => ({ ok: false, code, errors: [] });

/**
 * An implementation of `FundingApi` (docs/embed/transport.md). Only the configuration comes from the BFF.
 *
 * @param {{ bffUrl: string, trackingUrl: string, outcome?: string }} options
 * @returns {import('../../../widget/index.ts').FundingApi}
 */
export function createMadeUpApi({ bffUrl, trackingUrl, outcome = '' }) {
  const {
    answer,
    minutes = 4,
    delayMs = 0,
    status = 'accepted',
    delayed = false,
  } = outcomes[outcome] ?? outcomes[''];
  const beganAt = Date.now();
  const receivedAt = new Date(beganAt - minutes * minuteMs).toISOString();
  const isAccepted = status === 'accepted';
  const sent = {
    status,
    reference: '0199a3c2-7d11-7c3e-9b2a-1f0c7a5e88d1',
    receivedAt,
    ...(isAccepted && { acceptedAt: receivedAt, trackingUrl }),
    delayed,
  };
  /** Null after the applicant has closed it. */
  let application = sent;
  let documents = [
    createDocument(1, 'Statement of October.pdf', 'bank-statements-oct', 482_113),
    createDocument(2, 'Statement of September.pdf', 'bank-statements-sept', 471_002),
  ].map((document) => ({ ...document, status: isAccepted ? 'delivered' : 'received' }));
  let assetReport = null;
  let contact = null;
  const toSession = () =>
    success({
      expiresAt: new Date(Date.now() + 60 * minuteMs).toISOString(),
      isProven: true,
      application,
      documents: application ? documents : [],
      assetReport,
      contact,
    });

  return {
    endsWithPage: false,
    getConfiguration: (locale) => getConfiguration(bffUrl, locale),
    openSession: async () => toSession(),
    getSession: async () => toSession(),
    endSession: async () => {
      application = null;
      documents = [];
      assetReport = null;
      contact = null;
      return success(undefined);
    },
    submitApplication: async () => {
      application = sent;
      return success(application);
    },
    getApplication: async () => (application ? success(application) : failure('session-missing')),
    getOffers: async () => {
      if (!answer) return failure('application-pending');
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      return success({ ...answer, checkedAt: new Date().toISOString(), trackingUrl });
    },
    enableContact: async () => {
      contact = { status: 'received' };
      return success({ contact: 'received' });
    },
    uploadDocument: async ({ file, category, onProgress }) => {
      onProgress(1);
      const number = Math.max(0, ...documents.map((one) => one.number)) + 1;
      const document = {
        ...createDocument(number, file.name, category || 'other', file.size),
        changeable: { needsCategory: category === '', heldSeconds: 600 },
      };
      documents = [...documents, document];
      return success(document);
    },
    changeDocumentCategory: async (number, category) => {
      const before = documents.find((one) => one.number === number);
      if (!before) return failure('document-missing');
      const changeable = { ...before.changeable, needsCategory: false };
      const document = { ...before, category, changeable };
      documents = documents.map((one) => (one === before ? document : one));
      return success(document);
    },
    removeDocument: async (number) => {
      documents = documents.filter((one) => one.number !== number);
      return success(undefined);
    },
    submitAssetReport: async () => {
      assetReport = { status: 'received', delayed: false };
      return success(assetReport);
    },
  };
}

function createDocument(number, name, category, bytes) {
  return { number, name, category, bytes, status: 'received', delayed: false };
}

async function getConfiguration(bffUrl, locale) {
  const query = locale ? `?locale=${encodeURIComponent(locale)}` : '';
  try {
    const response = await fetch(`${bffUrl}/v1/configuration${query}`);
    return response.ok ? success(await response.json()) : failure('internal');
  } catch {
    return failure('network');
  }
}
