// The English texts of problems, by code. Problems that occur only after the submission are in en-after.ts.

export const enProblems = {
  'problem.submit-unanswered':
    'We couldn’t confirm that your application arrived. Your answers are still here. When you’re online, select “Submit application” again. It won’t be sent twice.',
  'problem.offline':
    'You were offline, so nothing was sent. Your answers are still here. When you’re back online, select “Submit application” again.',
  'problem.session-refused':
    'We couldn’t start a session in this browser, so nothing was sent. Your answers are still here. Select “Submit application” again. If that doesn’t work, allow cookies for this site.',
  'problem.rejected-earlier':
    'The lender couldn’t process the application you sent earlier. Go through it again and submit it again.',
  'problem.network': 'We couldn’t reach our server. Check your connection and try again.',
  'problem.page-outdated':
    'This page is out of date. Reload it to continue. If you see this message again, let the website’s owner know.',
  'problem.origin-refused':
    'This form isn’t set up correctly on this website. Let the website’s owner know.',
  'problem.header-missing':
    'This form isn’t set up correctly on this website. Let the website’s owner know.',
  'problem.not-found': 'This page is out of date. Reload it and try again.',
  'problem.method-not-allowed': 'This page is out of date. Reload it and try again.',
  'problem.unsupported-media-type': 'This page is out of date. Reload it and try again.',
  'problem.too-large': 'Your answers are too long to send. Shorten them and try again.',
  'problem.invalid-request': 'We couldn’t use some of your answers. Check them and try again.',
  'problem.session-missing':
    'Your session has ended. Nothing you sent is lost, but you can’t view it or add to it here anymore.',
  'problem.too-many-requests':
    'There were too many attempts in a short time. Wait a minute and try again. Nothing you entered is lost.',
  'problem.too-many-requests.long':
    'There were too many attempts in a short time. Try again in about {minutes} minutes. Nothing you entered is lost.',
  'problem.too-busy':
    'We’re very busy right now. Wait a moment and try again. Nothing you entered is lost.',
  'problem.too-soon': 'That was faster than we expected. Wait a few seconds and submit again.',
  'problem.automation-suspected':
    'Something filled in a hidden field, maybe a browser extension. We cleared it. Submit your application again.',
  'problem.challenge-required':
    'We couldn’t confirm that you’re not a robot. Complete the check and submit again.',
  'problem.challenge-not-offered':
    'This website couldn’t check that you’re not a robot, so nothing was sent. Let the website’s owner know.',
  'problem.challenge-unavailable':
    'We can’t check that you’re not a robot right now, so nothing was sent. Your answers are still here. Try again in a few minutes.',
  'problem.idempotency-key-missing':
    'This page couldn’t send your answers. Reload it and try again.',
  'problem.idempotency-key-reused':
    'Your answers changed after you sent them. Check them and submit again.',
  'problem.application-exists':
    'You already sent an application from this browser. It’s shown below. What you entered since then wasn’t sent.',
  'problem.application-missing':
    'Your session has ended. Nothing you sent is lost, but you can’t view it or add to it here anymore.',
  'problem.application-rejected':
    'The lender couldn’t process your application. Your answers are still here. Check them and submit again.',
  'problem.consent-required':
    'An agreement is missing or was updated. Read it and check the box again.',
  'problem.service-unavailable':
    'The lender’s system isn’t responding right now. Nothing you sent is lost. Try again in a few minutes.',
  'problem.storage-unavailable':
    'Our system can’t save anything right now, so nothing new was sent. Nothing you entered is lost. Try again in a few minutes.',
  'problem.internal': 'Something went wrong on our end. Try again in a few minutes.',
} as const;
