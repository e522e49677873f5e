// The English sentences of what did not work, by code; what can only be met once an application was sent stands with what comes after.

export const enProblems = {
  'problem.submit-unanswered':
    'We could not reach our server, or its answer was lost. Your answers are still here. Press “Submit application” again when you are connected: it cannot be filed twice.',
  'problem.offline':
    'This device was offline, so nothing was sent. Your answers are still here. Press “Submit application” again when you are connected.',
  'problem.session-refused':
    'We could not begin a session with this browser, so nothing has been sent. Your answers are still here. Press “Submit application” again; if that does not help, allow cookies for this site first.',
  'problem.rejected-earlier':
    'The lender could not take the application you sent before. Go through it once more, then send it again.',
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
    'This session has ended. What you have sent is safe with us, but it can no longer be shown or added to here.',
  'problem.too-many-requests':
    'There were many tries in a short time. Wait a minute, then try again. Nothing you entered is lost.',
  'problem.too-many-requests.long':
    'There were many tries in a short time. Try again in about {minutes} minutes. Nothing you entered is lost.',
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
    'This session has ended. What you have sent is safe with us, but it can no longer be shown or added to here.',
  'problem.application-rejected':
    'The lender could not take the application as it is. Nothing you entered is lost. Check your answers, then send it again.',
  'problem.consent-required':
    'A consent is missing or its text has changed. Read it and tick it again.',
  'problem.service-unavailable':
    'The lender’s system is not answering at the moment. Nothing you gave is lost. Try again in a little while.',
  'problem.storage-unavailable':
    'We cannot keep anything safe at the moment, so nothing was sent. What you typed is still here. Try again in a little while.',
  'problem.internal': 'Something went wrong on our side. Try again in a little while.',
} as const;
