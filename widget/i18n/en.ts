// The English sentences of the form, by key; `{name}` marks a value put in when it is shown.

export const en = {
  loading: 'Getting the application ready…',
  'load-failed.title': 'The application cannot be shown right now',
  'load-failed.text':
    'We could not reach our server. Nothing you gave before is lost. Check your connection, then try again.',
  'load-failed.goes-on':
    'We are asked more often at the moment than we can answer. This page tries again by itself.',
  'try-again': 'Try again',
  reload: 'Reload this page',
  'reload.text':
    'The rest of this page could not be loaded. What you have sent is safe; reload the page to go on.',
  'reload.text.page-only':
    'The rest of this page could not be loaded. What you have sent is safe with us; you do not need to send it again.',
  sandbox: 'Sandbox: nothing you send here reaches a real lender. Do not use real personal data.',
  'step.progress': 'Step {number} of {total}',
  back: 'Back',
  continue: 'Continue',
  optional: '(optional)',
  'not-provided': 'Not provided',
  choose: 'Choose one',
  show: 'Show',
  hide: 'Hide',
  'error.prefix': 'Error:',
  'summary.title': 'There is a problem',
  help: 'Questions? {contact}',
  start: 'Start application',
  'step.start.title': 'Apply for business funding',
  'step.start.why':
    'Answer a few questions, sign, and see which offers there are. Looking costs you nothing.',
  'step.funding-need.name': 'Funding need',
  'step.funding-need.title': 'How much funding do you need?',
  'step.funding-need.why':
    'A good estimate is enough. You decide on the exact amount when you see the offers.',
  'step.business.name': 'Your business',
  'step.business.title': 'Tell us about your business',
  'step.business.why': 'Lenders use this to see which kinds of funding fit.',
  'step.owner.name': 'You, the owner',
  'step.owner.title': 'Now a little about you',
  'step.owner.why': 'So that the lender knows who is applying and how to reach you.',
  'step.identity.name': 'Identity and credit',
  'step.identity.title': 'Confirm who you are',
  'step.identity.why':
    'The lender uses this to confirm your identity and to estimate which offers fit. It is sent encrypted and is never kept in this browser.',
  'step.review.name': 'Review and sign',
  'step.review.title': 'Check your answers, then sign',
  'step.review.why':
    'Nothing has been sent yet. Your application is sent when you press “Submit application”.',
  'step.documents.name': 'Documents',
  'step.documents.title': 'Add your documents',
  'step.documents.why':
    'Recent bank statements speed up a decision. You can skip this and come back to it within a day, in this browser.',
  'step.bank.name': 'Bank connection',
  'step.bank.title': 'Connect your bank account',
  'step.bank.why':
    'A bank connection shows the lender your account activity directly, so you do not have to collect statements.',
  'step.offers.name': 'Your offers',
  'group.founded': 'When was the business founded?',
  'group.founded.hint': 'For example, March 2017. The day is optional.',
  'group.business-details': 'The business',
  'group.business-address': 'Business address',
  'group.figures': 'Size and history',
  'group.person': 'Your name and how to reach you',
  'group.home-address': 'Home address',
  'group.birth-date': 'Date of birth',
  'group.birth-date.hint': 'For example, 4 27 1985',
  'group.other-managers': 'Does anyone else own or manage the business?',
  'label.fundingNeed/amount': 'Amount you need',
  'hint.fundingNeed/amount': 'In US dollars, without cents',
  'label.fundingNeed/reason': 'What will you use it for?',
  'label.business/name': 'Legal name of the business',
  'hint.business/name': 'As it stands on your tax return',
  'label.business/type': 'Type of business',
  'label.business/industry': 'Industry',
  'hint.business/industry': 'Type a few letters, then choose from the list',
  'hint.business/industry.select': 'Choose the closest one',
  'label.business/taxId': 'Employer Identification Number (EIN)',
  'hint.business/taxId': '9 digits, for example 12-3456789',
  'label.address/street': 'Street address',
  'label.address/city': 'City',
  'label.address/state': 'State',
  'label.address/zip': 'ZIP code',
  'label.business/annualRevenue': 'Annual revenue',
  'hint.business/annualRevenue': 'All sales of the last 12 months, in US dollars, before expenses',
  'label.business/foundedMonth': 'Month',
  'label.business/foundedDay': 'Day',
  'label.business/foundedYear': 'Year',
  'label.business/website': 'Website',
  'label.business/employees': 'Number of employees',
  'hint.business/employees': 'Everyone on your payroll, part-time included',
  'label.owner/firstName': 'First name',
  'label.owner/lastName': 'Last name',
  'label.owner/email': 'Email address',
  'hint.owner/email': 'We send what you need to know about this application here',
  'label.owner/phone': 'Phone number',
  'hint.owner/phone': 'A US number, in case the lender has a question',
  'label.owner/homeSameAsBusiness': 'My home address is the same as the business address',
  'label.owner/birthDate/month': 'Month',
  'label.owner/birthDate/day': 'Day',
  'label.owner/birthDate/year': 'Year',
  'label.owner/birthDate': 'Date of birth',
  'label.owner/ssn': 'Social Security number (SSN)',
  'hint.owner/ssn': '9 digits. The lender uses it to confirm who you are.',
  'label.owner/creditScore': 'Your credit score',
  'hint.owner/creditScore': 'Your best estimate. Looking it up yourself does not change it.',
  'label.owner/ownershipPercent': 'Your share of the business',
  'hint.owner/ownershipPercent': 'In percent, from 0 to 100',
  'label.owner/otherManagers': 'Other owners or managers',
  'label.signature/name': 'Type your full name to sign',
  'hint.signature/name': 'Typing your name has the same effect as signing on paper.',
  'label.homeAddress': 'Home address',
  'label.businessAddress': 'Business address',
  'label.founded': 'Founded',
  yes: 'Yes',
  no: 'No',
  'error.required': 'Enter {label}',
  'error.invalid': 'Check {label}: it holds something we cannot use',
  'error.too-long': '{label} is too long',
  'error.too-small': '{label} is too small',
  'error.too-large': '{label} is too large',
  'error.not-a-number': 'Enter {label} in digits',
  'error.not-in-list': 'Choose {label} from the list',
  'error.date': 'Enter a day that exists for {label}',
  'error.date-in-future': '{label} must be in the past',
  'error.rejected':
    'The lender could not use what stands in “{label}”. Check it, then send it again.',
  'error.fundingNeed/amount.required': 'Enter the amount you need',
  'error.fundingNeed/amount.not-a-number': 'Enter the amount in digits, for example 75,000',
  'error.fundingNeed/amount.too-small': 'Enter an amount of at least $1',
  'error.fundingNeed/amount.too-large': 'Enter an amount below $1 billion',
  'error.fundingNeed/reason.required': 'Choose what you will use the funding for',
  'error.business/name.required': 'Enter the legal name of the business',
  'error.business/type.required': 'Choose the type of business',
  'error.business/industry.required': 'Choose your industry',
  'error.business/industry.not-in-list': 'Choose an industry from the list',
  'error.business/taxId.required': 'Enter the EIN',
  'error.business/taxId.ein': 'Enter the EIN as 9 digits, for example 12-3456789',
  'error.business/annualRevenue.required': 'Enter the annual revenue',
  'error.business/annualRevenue.not-a-number':
    'Enter the annual revenue in digits, for example 480,000',
  'error.business/annualRevenue.too-large': 'Enter an annual revenue below $1 billion',
  'error.business/foundedMonth.required': 'Enter the month the business was founded',
  'error.business/foundedMonth.not-a-number':
    'Enter the month as a number from 1 to 12, or by name',
  'error.business/foundedMonth.too-small': 'Enter a month from 1 to 12',
  'error.business/foundedMonth.too-large': 'Enter a month from 1 to 12',
  'error.business/foundedDay.not-a-number': 'Enter the day as a number, or leave it empty',
  'error.business/foundedDay.too-small': 'Enter a day from 1 to 31, or leave it empty',
  'error.business/foundedDay.too-large': 'Enter a day from 1 to 31, or leave it empty',
  'error.business/foundedDay.date':
    'This day does not exist in that month; correct it or leave it empty',
  'error.business/foundedYear.required': 'Enter the year the business was founded',
  'error.business/foundedYear.not-a-number': 'Enter the year in 4 digits, for example 2017',
  'error.business/foundedYear.too-small': 'Enter the year in 4 digits, for example 2017',
  'error.business/foundedYear.too-large': 'Enter the year in 4 digits, for example 2017',
  'error.business/foundedYear.date-in-future': 'The founding date must be in the past',
  'error.business/employees.required': 'Enter the number of employees; 0 if you work alone',
  'error.business/employees.not-a-number': 'Enter the number of employees in digits',
  'error.owner/firstName.required': 'Enter your first name',
  'error.owner/lastName.required': 'Enter your last name',
  'error.owner/email.required': 'Enter your email address',
  'error.owner/email.email': 'Enter an email address like name@example.com',
  'error.owner/phone.required': 'Enter your phone number',
  'error.owner/phone.phone': 'Enter a US phone number with 10 digits, for example 512-555-0134',
  'error.owner/birthDate.required': 'Enter your date of birth',
  'error.owner/birthDate.date': 'Enter your date of birth as month, day and 4-digit year',
  'error.owner/birthDate.date-in-future': 'Your date of birth must be in the past',
  'error.owner/birthDate.too-young': 'You must be 18 or older to apply',
  'error.owner/ssn.required': 'Enter your Social Security number',
  'error.owner/ssn.ssn': 'Enter your Social Security number as 9 digits, for example 123-45-6789',
  'error.owner/creditScore.required': 'Choose your credit score; an estimate is fine',
  'error.owner/ownershipPercent.required': 'Enter your share of the business',
  'error.owner/ownershipPercent.not-a-number': 'Enter your share as a whole number, for example 50',
  'error.owner/ownershipPercent.too-large': 'Enter a share from 0 to 100',
  'error.street.required': 'Enter the street address',
  'error.city.required': 'Enter the city',
  'error.state.required': 'Choose the state',
  'error.zip.required': 'Enter the ZIP code',
  'error.zip.zip': 'Enter a ZIP code of 5 or 9 digits, for example 78701',
  'error.signature/name.required': 'Type your full name to sign',
  'error.signature/name.name-mismatch':
    'Sign with your own name: the last name must match “{lastName}”',
  'error.consent.required': 'Tick “{label}” to go on',
  'industry.count.one': '1 industry in the list',
  'industry.count.many': '{count} industries in the list',
  'industry.none': 'No match? Choose Services',
  'review.change': 'Change',
  'review.consents': 'Your agreement',
  'review.consents.text': 'Read the full text',
  'review.signature': 'Signature',
  'review.submit': 'Submit application',
  'review.submitting': 'Sending your application…',
  'review.hidden': 'ends in {last}',
  'submitted.received.title': 'We have your application',
  'offers.looking.title': 'Looking for offers',
  'problem.submit-unanswered':
    'We could not reach our server, or its answer was lost. Your answers are still here. Press “Submit application” again when you are connected: it cannot be filed twice.',
  'problem.session-refused':
    'We could not begin a session with this browser, so nothing has been sent. Your answers are still here. Press “Submit application” again; if that does not help, allow cookies for this site first.',
  'problem.rejected-with-documents':
    'The lender could not take the application as it is. Nothing you entered is lost: check your answers, then send it again. Documents and bank report went with it, and have to be given once more afterwards.',
  'problem.rejected-earlier':
    'The lender could not take the application you sent before. Fill it in once more: your answers are not kept in this browser.',
  'problem.network': 'We could not reach our server. Check your connection, then try again.',
  'problem.origin-refused':
    'This page is not allowed to use the application. Tell the owner of this website.',
  'problem.header-missing':
    'This page could not send your answers. Tell the owner of this website.',
  'problem.not-found':
    'This page and our server do not fit together. Reload the page, then try again.',
  'problem.method-not-allowed':
    'This page and our server do not fit together. Reload the page, then try again.',
  'problem.unsupported-media-type':
    'This page and our server do not fit together. Reload the page, then try again.',
  'problem.too-large': 'What you sent is larger than we can take.',
  'problem.invalid-request': 'Some answers could not be used. Check them, then try again.',
  'problem.session-missing':
    'Your session has ended for your safety. What you have sent is safe with us, but it can no longer be shown or added to here.',
  'problem.too-many-requests':
    'That was very often in a short time. Wait a minute, then try again. Nothing you entered is lost.',
  'problem.too-many-requests.long':
    'That was very often in a short time. Try again in about {minutes} minutes. Nothing you entered is lost.',
  'problem.too-busy':
    'A lot of people are applying at the moment. Wait a moment, then try again. Nothing you entered is lost.',
  'problem.too-soon': 'That was very quick. Wait a few seconds, then send it again.',
  'problem.automation-suspected':
    'Something filled in a field that nobody can see, perhaps a browser extension. We have cleared it; send your application again.',
  'problem.challenge-required':
    'We could not see that a person is sending this. Solve the check again, then send your application.',
  'problem.challenge-not-offered':
    'This page could not check that a person is sending this, so nothing was sent. Tell the owner of this website.',
  'problem.challenge-unavailable':
    'We cannot check at the moment that a person is sending this, so nothing was sent. Nothing you entered is lost. Try again in a little while.',
  'problem.idempotency-key-missing':
    'This page could not send your answers. Reload the page, then try again.',
  'problem.idempotency-key-reused':
    'Your answers have changed since you sent them. Check them, then send them again.',
  'problem.application-exists':
    'You had already sent an application from this browser: the one below. What you entered on this page since then was not sent.',
  'problem.application-missing':
    'Your session has ended for your safety. What you have sent is safe with us, but it can no longer be shown or added to here.',
  'problem.application-pending':
    'The lender does not have your application yet. We are passing it on; try again in a moment.',
  'problem.application-rejected':
    'The lender could not take the application as it is. Nothing you entered is lost. Check your answers, then send it again.',
  'problem.consent-required':
    'A consent is missing or its text has changed. Read it and tick it again.',
  'problem.document-name-invalid':
    'The name of this file cannot be used. Rename the file, then choose it again.',
  'problem.document-category-invalid': 'Choose what this file is.',
  'problem.document-length-required': 'This browser could not send the file. Try another browser.',
  'problem.document-empty': 'This file is empty.',
  'problem.document-too-large': 'This file is larger than the limit.',
  'problem.document-incomplete': 'The file did not arrive whole. Try again.',
  'problem.document-type-refused': 'This type of file cannot be sent.',
  'problem.document-type-mismatch':
    'The file is not what its name says. Save it again in the right format, then choose it again.',
  'problem.document-active-content':
    'This file holds a script or another file inside. Print it to a new PDF, then choose that one.',
  'problem.document-damaged':
    'This file is damaged or incomplete. Save or download it again, then choose the new one.',
  'problem.document-unsafe':
    'We could not examine this file safely. Print it to a new PDF or take a photo of it, then choose that one.',
  'problem.document-too-many-pixels':
    'This picture has too many pixels. Save it in a smaller size or take a screenshot of it, then choose that one.',
  'problem.document-infected':
    'A virus scanner refused this file, so it was not passed on. Send another copy.',
  'problem.document-limit-reached': 'You have sent as many files as this application may have.',
  'problem.document-space-exhausted':
    'Your files take as much space as this application may have. Send smaller ones, for example in black and white.',
  'problem.document-rejected':
    'The lender could not take this file as it is. Check what you chose for “What is this?”, or send another copy.',
  'problem.asset-report-invalid': 'The bank report holds no data. Connect your bank again.',
  'problem.asset-report-rejected':
    'The lender could not use the bank report. You can connect again or send statements instead.',
  'problem.contact-refused':
    'The lender could not change your contact preference. Try again later.',
  'problem.service-refused':
    'Something is wrong between us and the lender. Nothing you gave is lost, and you do not need to send it again.',
  'problem.service-unavailable':
    'The lender’s system is not answering at the moment. Nothing you gave is lost. Try again in a little while.',
  'problem.storage-unavailable':
    'We cannot keep anything safe at the moment, so nothing was sent. What you typed is still here. Try again in a little while.',
  'problem.internal': 'Something went wrong on our side. Try again in a little while.',
} as const;
