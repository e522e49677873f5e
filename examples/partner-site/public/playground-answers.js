// Reads the known answers that somebody typed as JSON, and lists wrong names, types, and limits. The form checks the rest, for
// example whether a telephone number exists.

const maxCharacters = 20_000;
const maxProblems = 8;

/**
 * @typedef {object} Lists
 * @property {readonly string[]} industries
 * @property {readonly string[]} states
 * @property {readonly string[]} [fundingReasons] of the BFF's configuration, if it has answered
 * @property {readonly string[]} [businessTypes]
 * @property {readonly string[]} [creditScores]
 */

const address = {
  street: checkText(255),
  suite: checkText(100),
  city: checkText(100),
  state: checkList('states'),
  zip: checkPattern(/^\d{5}(-?\d{4})?$/, 'five digits as a text, for example "04101"'),
};
/** Each answer that a host page may know, with its check. A test compares the limits with those of the form. */
export const answerChecks = {
  fundingNeed: { amount: checkNumber(1, 999_999_999), reason: checkList('fundingReasons') },
  business: {
    name: checkText(255),
    type: checkList('businessTypes'),
    industry: checkList('industries'),
    taxId: refuse,
    address,
    annualRevenue: checkNumber(0, 999_999_999),
    foundedMonth: checkNumber(1, 12),
    foundedDay: checkNumber(1, 31),
    foundedYear: checkNumber(1800, 9999),
    employees: checkNumber(0, 10_000_000),
  },
  owner: {
    firstName: checkPattern(/\p{L}/u, 'a name of at most 80 characters, with a letter', 80),
    lastName: checkPattern(/\p{L}/u, 'a name of at most 80 characters, with a letter', 80),
    email: checkPattern(/^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/, 'an email address', 254),
    phone: checkPattern(/^(\D*\d){10,11}\D*$/, 'a US phone number of 10 digits, as a text'),
    homeSameAsBusiness: checkFlag,
    homeAddress: address,
    birthDate: {
      month: checkNumber(1, 12),
      day: checkNumber(1, 31),
      year: checkNumber(1800, 9999),
    },
    ssn: refuse,
    creditScore: checkList('creditScores'),
    ownershipPercent: checkNumber(0, 100),
    otherManagers: checkFlag,
  },
};

/**
 * @param {string} text
 * @param {Lists} lists
 * @returns {{ answers?: object, problems: string[] }} `answers` only if there is no problem and the text is not blank.
 */
export function readAnswers(text, lists) {
  if (text.trim() === '') return { problems: [] };
  if (text.length > maxCharacters) {
    return { problems: [`The answers are too long. Use at most ${maxCharacters} characters.`] };
  }
  let answers;
  try {
    answers = JSON.parse(text);
  } catch (error) {
    return { problems: [`This is not JSON. ${error.message}.`] };
  }
  const problems = [];
  checkGroup(answers, answerChecks, '', lists, problems);
  const rest = problems.length - maxProblems;
  if (rest > 0) problems.splice(maxProblems, rest, `And ${rest} more.`);
  return problems.length > 0 ? { problems } : { answers, problems };
}

function checkGroup(value, checks, path, lists, problems) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const names = Object.keys(checks).join(', ');
    problems.push(`${path || 'The text'} is not an object. Use { } with some of: ${names}.`);
    return;
  }
  for (const [name, inner] of Object.entries(value)) {
    const innerPath = path ? `${path}.${name}` : name;
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (!check) {
      problems.push(`${innerPath} is unknown. Use one of: ${Object.keys(checks).join(', ')}.`);
    } else if (typeof check === 'object') {
      checkGroup(inner, check, innerPath, lists, problems);
    } else {
      const problem = check(inner, lists);
      if (problem) problems.push(`${innerPath} ${problem}`);
    }
  }
}

function checkText(maximum) {
  return (value) => {
    if (typeof value !== 'string' || value.trim() === '') return 'is not a text. Use "…".';
    return value.length > maximum ? `is too long. Use at most ${maximum} characters.` : undefined;
  };
}

function checkPattern(pattern, wanted, maximum = 40) {
  return (value) =>
    typeof value === 'string' && value.length <= maximum && pattern.test(value)
      ? undefined
      : `is not ${wanted}.`;
}

function checkNumber(minimum, maximum) {
  return (value) =>
    Number.isInteger(value) && value >= minimum && value <= maximum
      ? undefined
      : `is not a whole number from ${minimum} to ${maximum}.`;
}

function checkFlag(value) {
  return typeof value === 'boolean' ? undefined : 'is not true or false.';
}

/** Long lists are not repeated in the message. A list of the configuration may be missing. */
function checkList(name) {
  return (value, lists) => {
    const values = lists[name];
    if (values?.includes(value)) return undefined;
    if (!values) return checkText(255)(value);
    const some = values.slice(0, 6).map((one) => `"${one}"`);
    return `is not in the list. Use ${some.join(', ')}${values.length > 6 ? ', …' : ''}.`;
  };
}

function refuse() {
  return 'is not allowed here, because the link to this page would contain it.';
}
