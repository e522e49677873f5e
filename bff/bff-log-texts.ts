// Explains every log event to operators. Only the generated reference reads these texts, so the BFF does not load them.

import type { LogEvent, logLevels } from './bff-log.ts';
import type { BaseEvent, Level } from './logging/log.ts';

export const logGroups = [
  'Start and stop',
  'Requests',
  'Continue on a phone',
  'Documents',
  'Delivery',
  'Events for your systems',
  'Funding service',
  'Retention',
] as const;

/** Plain sentences in Markdown, for the operator. */
export interface LogText {
  readonly group: (typeof logGroups)[number];
  /** When the BFF logs the event. */
  readonly when: string;
  /** The meaning of each field, or of each value of a field that has a closed list of values. */
  readonly fields: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  /** The next step of the operator. An error needs one. */
  readonly action?: string;
  /** The guide about it: a path from `docs/`, with a heading if it is about that section only. */
  readonly guide?: string;
}

/** The member of the union `Event` that has this name. */
type EventNamed<Event extends BaseEvent, Name> = Event extends unknown
  ? Name extends Event['event']
    ? Event
    : never
  : never;

/** A text, or the meaning of every value, which only a closed list of values can have. */
type FieldText<Value> = [Value] extends [string]
  ? string | (string extends Value ? never : Readonly<Record<Value, string>>)
  : string;

/** An event without a text does not compile, and neither does a text without a field of its event or an error without an action. */
export type LogTexts<
  Event extends BaseEvent,
  Levels extends Readonly<Record<Event['event'], Level>>,
> = {
  readonly [Name in Event['event']]: LogText & {
    readonly fields: {
      readonly [Field in Exclude<keyof EventNamed<Event, Name>, 'event'>]-?: FieldText<
        Exclude<EventNamed<Event, Name>[Field], undefined>
      >;
    };
  } & (Levels[Name] extends 'error' ? { readonly action: string } : unknown);
};

const requestId = 'The same as the header `X-Request-Id` of the answer.';
const reference = 'The application. `show` takes it as its argument.';
const error = 'The class, code, and position of the error. Never its message.';
const refused = 'Refused requests since the last line with the same reason.';
const kind = '`application`, `document`, `bank-report`, or `contact`.';
const attempts = 'Attempts so far.';
const operation =
  '`create-lead`, `pre-approval-offer`, `contact-user`, `asset-report`, or `upload-file`.';
const settings = 'The variables to check, the most likely cause first.';
const status = 'The HTTP status of the response.';
const consumer = {
  webhook: 'the receiver at `WEBHOOK_URL`',
  hook: 'your function `onStatus`',
} as const;
const type = 'The type of the event, such as `application.accepted`.';
const storeFields = {
  location: 'The path of the file, or the database and its host.',
  storeId: 'The first eight characters of the store’s id.',
  createdAt: 'When the store was created.',
  applicationsReceived: 'Applications that the store has received since then.',
} as const;

export const logTexts = {
  'store-opened': {
    group: 'Start and stop',
    when: 'The BFF started and opened its store.',
    fields: storeFields,
  },
  'store-created': {
    group: 'Start and stop',
    when: 'The BFF started, and created its store because there was none. Production never does this.',
    action:
      'If a store should have been there, stop the BFF and find it. Do not continue with the new one: applicants would read that their applications do not exist.',
    fields: storeFields,
    guide: 'troubleshoot.md#the-bff-does-not-find-its-store',
  },
  'store-log-missing': {
    group: 'Start and stop',
    when: 'The BFF opened an SQLite store whose write-ahead log is missing. The latest applications may be lost. Production does not start instead.',
    action: 'Stop the BFF and look for the file `store.db-wal`.',
    fields: { location: storeFields.location },
    guide: 'troubleshoot.md#the-write-ahead-log-is-missing',
  },
  'shutdown-started': {
    group: 'Start and stop',
    when: 'The BFF received a signal and shuts down.',
    fields: { signal: '`SIGTERM` or `SIGINT`.' },
    guide: 'operate/restart.md',
  },
  'shutdown-incomplete': {
    group: 'Start and stop',
    when: 'The store did not accept every result before the process ended. Nothing is lost: the next start recovers those deliveries, and counts their attempts as uncertain.',
    action: 'Check that the store is reachable, and start the BFF.',
    fields: { afterMs: 'How long the shutdown took, in milliseconds.' },
    guide: 'operate/restart.md',
  },
  crashed: {
    group: 'Start and stop',
    when: 'An uncaught exception ended the process.',
    action: 'Report `error`. The process manager starts the BFF again, and nothing is lost.',
    fields: { error },
    guide: 'operate/alarms.md#fundingprocessrestarts',
  },

  request: {
    group: 'Requests',
    when: 'The BFF answered a request. Requests that do not come from a page of yours are logged once a minute for each route and status.',
    fields: {
      requestId,
      method: 'The HTTP method.',
      route: 'The pattern of the route, such as `/v1/offers`, or `/v1/*` if there is none.',
      status,
      durationMs: 'Milliseconds until the response began.',
      code: 'The [problem code](problem-codes.md), if the BFF refused the request.',
      requests: 'Requests since the last line, if the event is logged once a minute.',
    },
  },
  'request-failed': {
    group: 'Requests',
    when: 'The BFF answered 500 because of an unexpected error, or 503 because the store is unavailable.',
    action: 'If `/readyz` answers 503, repair the store. Otherwise report `error`.',
    fields: { requestId, error },
    guide: 'operate/alarms.md#fundingservererrors',
  },
  'origin-gate-refused': {
    group: 'Requests',
    when: 'The BFF refused a request that no page of yours can have sent. Robots cause some of these.',
    action:
      'If `origin-not-listed`, `fetch-site`, or `preflight` appears after a change of your site, run `doctor`.',
    fields: {
      requestId,
      reason: {
        'origin-not-listed':
          'neither `ALLOWED_ORIGINS` nor `CROSS_SITE_ORIGINS` lists the page’s origin',
        'origin-unknown': 'the request names no origin, so it does not come from a page',
        'fetch-site':
          'the browser reports another relation of the two sites than the list of the origin says. A page of another site belongs in `CROSS_SITE_ORIGINS`',
        'fetch-mode': 'the request is a navigation or the load of a file, not a `fetch`',
        preflight:
          'a page asks for a method or header that the API does not have. A tracing script that adds a header to every `fetch` causes it',
        method: 'the route does not have this method',
        'header-missing': '`X-Funding-Request: 1` is missing',
        'content-type': 'the body has another content type than the route accepts',
      },
      refused,
    },
    guide: 'security/requests.md#origin-gate',
  },
  'session-refused': {
    group: 'Requests',
    when: 'A request had a session that the BFF does not accept. The form starts a new one. Many with a reason other than `expired` and `revoked` are an attack.',
    action: '`unknown-password`: give all processes the same `SESSION_KEYS`.',
    fields: {
      requestId,
      reason: {
        invalid: 'the session was not made by a BFF with these keys, or was changed',
        'unknown-password': 'this process lacks the key of `SESSION_KEYS` that made the session',
        expired: 'the time of the session is over. This is normal',
        revoked: 'the session was ended. This is normal',
        'other-origin': 'a page of another origin started the session',
        'other-transport': 'the value of a cookie was sent as a session token, or the reverse',
        'other-scope': 'the session of a phone was used as that of a desktop, or the reverse',
        'several-cookies': 'the request has several session cookies',
        'two-sessions': 'the cookie and the session token belong to different sessions',
      },
      refused,
    },
    guide: 'operate/keys.md#change-the-session-key',
  },
  'rate-limited': {
    group: 'Requests',
    when: 'A request exceeded a limit and got 429 or 503.',
    action:
      'If all applicants are affected, a proxy is missing in `TRUSTED_PROXIES`, so that they share an address. `handoff-codes-by-address`: somebody tries the codes of phones.',
    fields: {
      requestId,
      limit: {
        'requests-by-address': 'the setting `limits.requestsPerMinutePerAddress`',
        'widget-requests-by-address': 'the setting `limits.widgetRequestsPerMinutePerAddress`',
        'sessions-by-address': 'the setting `limits.sessionsPerMinutePerAddress`',
        'draft-keys-by-address': 'the setting `limits.sessionsPerMinutePerAddress`, for draft keys',
        'applications-by-address': 'the setting `limits.applicationsPerHourPerAddress`',
        'requests-by-session': 'the setting `limits.requestsPerMinutePerSession`',
        'applications-by-session': 'the setting `limits.applicationsPerHourPerSession`',
        'uploads-by-session': 'the setting `limits.uploadsPerHourPerSession`',
        'handoffs-by-session': 'new codes for phones, by session',
        'handoff-claims-by-address': 'phones that open a code, by address',
        'handoff-codes-by-address': 'wrong codes that were typed, by address',
        'requests-at-once': 'the setting `limits.requestsAtOnce`',
        'uploads-at-once-by-session': 'concurrent uploads of one session',
        'uploads-at-once-by-address': 'concurrent uploads of one address',
        'uploads-at-once': 'concurrent uploads of the process',
      },
      refused: 'Refused requests since the last line with the same limit.',
    },
    guide: 'security/limits.md',
  },
  'client-address-unverified': {
    group: 'Requests',
    when: 'The BFF does not know the applicant’s IP address. Applicants then share rate limits, and their addresses are missing from leads and consents. Logged once an hour for each reason.',
    action: 'Correct `TRUSTED_PROXIES`, or the proxy.',
    fields: {
      requestId,
      reason: {
        'untrusted-proxy':
          '`X-Forwarded-For` came from an address that `TRUSTED_PROXIES` does not list',
        'header-missing': 'a trusted proxy sent no `X-Forwarded-For`',
        'header-unreadable': '`X-Forwarded-For` contains text that is not an IP address',
        'only-proxies': '`TRUSTED_PROXIES` lists every address in `X-Forwarded-For`',
        'connection-unknown':
          'the server that mounts the BFF passes requests on without the address of their connection',
      },
    },
    guide: 'deploy/proxy.md',
  },
  'body-consumed': {
    group: 'Requests',
    when: 'A body parser of the server that mounts the BFF read a request before the BFF. **Nobody can submit.**',
    action: 'Mount the BFF before the body parser.',
    fields: { requestId },
    guide: 'deploy/mount.md',
  },
  'challenge-refused': {
    group: 'Requests',
    when: 'An application came without a solved challenge. The form shows the challenge again.',
    fields: {
      requestId,
      reason: {
        'token-missing': 'a program, or a page whose script lacks the challenge, sent it',
        'token-refused': 'the provider rejected the token',
        'other-host': 'the challenge was solved on a host that is not one of yours',
      },
      refused,
    },
  },
  'challenge-failed': {
    group: 'Requests',
    when: 'The provider of the challenge gave no usable answer. **Nobody can submit.**',
    action:
      'Correct the configuration, or unset the `CHALLENGE_…` variables until the provider works again, and restart.',
    fields: {
      requestId,
      reason: {
        unreachable: 'the provider did not answer within five seconds',
        'answer-unreadable': 'the provider’s answer is not one that it documents',
        'secret-refused': '`CHALLENGE_SECRET` or `CHALLENGE_SITE_KEY` is wrong',
      },
    },
    guide: 'operate/alarms.md#fundingchallengedown',
  },
  'enrichment-failed': {
    group: 'Requests',
    when: 'Your hook `enrichLead` failed. The BFF sent the lead without the fields.',
    action: 'Correct the hook.',
    fields: {
      reference,
      reason: {
        unanswered: 'the hook took more than three seconds',
        threw: 'the hook threw an error',
        unusable: 'the hook returned fields that the funding service does not have, or wrong types',
      },
      fields: 'With `unusable`: the fields.',
      error: 'With `threw`: the class, code, and position of the error.',
    },
  },
  'reference-mismatch': {
    group: 'Requests',
    when: 'The funding service answered with the offers of another application. The applicant does not see them.',
    action: 'Report it to the funding service.',
    fields: { reference },
  },

  'handoff-changed': {
    group: 'Continue on a phone',
    when: 'A handoff to a phone changed its state. Ends by time are not logged.',
    fields: {
      reference,
      state: {
        waiting: 'the desktop shows a QR code',
        claimed: 'a phone opened the code, and has to pick the number that the desktop shows',
        connected: 'the phone can send documents',
        'wrong-number': 'the phone picked another number',
        declined: 'the phone’s user does not know the application',
        revoked: 'the desktop disconnected the phone',
        ended: 'the phone’s user finished',
      },
    },
    guide: 'security/devices.md#continue-on-a-phone',
  },
  'handoff-suspicious': {
    group: 'Continue on a phone',
    when: 'A phone may have a code that was meant for somebody else. One such event is a mistake.',
    action:
      'Many with different references in an hour mean that somebody sends codes to strangers. Set `page.handoff` to `false` until it ends.',
    fields: {
      reference,
      state: {
        'wrong-number': 'the phone picked a number that the desktop did not show',
        declined: 'the phone’s user does not know the application',
      },
    },
    guide: 'operate/alarms.md#fundinghandoffsuspicious',
  },

  'document-refused': {
    group: 'Documents',
    when: 'The BFF refused a document. The applicant reads why, and what to do.',
    fields: {
      requestId,
      code: 'The [problem code](problem-codes.md) that the form shows.',
      detail:
        'The finding, such as `pdf-launch`. With `document-not-checked`: `timeout`, `memory`, or `crash`.',
    },
    guide: 'security/documents.md#what-is-accepted-and-what-is-refused',
  },
  'inspection-failed': {
    group: 'Documents',
    when: 'The process that inspects a document ended without a verdict. Hostile or damaged files cause single ones. After the first attempt there is another one.',
    action: 'If they are frequent, give the inspection more time or memory.',
    fields: {
      requestId,
      attempt: '1 or 2.',
      reason: {
        timeout: 'it took longer than `documents.inspection.timeoutSeconds`',
        memory:
          'it needed more than `documents.inspection.memoryMegabytes`, or the machine had no memory left',
        crash: 'it ended in another way',
        interrupted: 'it ended before it had the whole document, so the document is not the cause',
      },
      exitCode: 'The exit code of the process, if it has one.',
      signal: 'The signal that ended the process, if there was one.',
    },
    guide: 'troubleshoot.md#documents-are-refused-or-wait',
  },
  'inspection-unavailable': {
    group: 'Documents',
    when: 'The BFF could not inspect a document because of a fault on its side. It answers 503, and the form sends the document again, up to six times in about three minutes.',
    action: 'Remove the cause that `reason` names.',
    fields: {
      requestId,
      reason: {
        'not-started':
          'no process started within 30 s. Check free memory, the process limit, and that `inspection-child.js` is next to `main.js`',
        interrupted: 'a process ended twice before it had the document. Check the kernel’s log',
        threw: 'a bug. Report `error`',
        'content-unreadable': 'the document cannot be read from the store. Check its disk',
        overloaded:
          'no process was free for 20 s. Raise `documents.inspection.processes`, or add CPU and memory',
        closed: 'the BFF was stopping',
      },
      error,
    },
    guide: 'troubleshoot.md#documents-are-refused-or-wait',
  },
  'document-infected': {
    group: 'Documents',
    when: 'The virus scanner found malware. The BFF did not send the document, and told the applicant.',
    fields: { reference },
  },
  'document-unscanned': {
    group: 'Documents',
    when: 'The virus scanner gave no clear answer. The document waits, and the BFF tries again.',
    action: 'Repair the scanner.',
    fields: {
      reference,
      reason: {
        'scanner-unanswered': 'the scanner is down, or did not answer for 60 s',
        'scanner-answer-unknown':
          'another program answers at `CLAMD_URL`, or the scanner reports an error',
        'scanner-size-limit':
          'raise `StreamMaxLength` in clamd.conf to at least `documents.maxBytes`',
      },
    },
    guide: 'operate/alarms.md#fundingscannerdown',
  },

  'delivery-recorded': {
    group: 'Delivery',
    when: 'An attempt to send a row to the funding service ended, and the store has its result.',
    fields: {
      kind,
      reference,
      state: 'The new [state](commands.md#states).',
      attempts,
    },
  },
  'delivery-rejected': {
    group: 'Delivery',
    when: 'The funding service rejected a value that the applicant entered. The applicant was told.',
    action: 'If there are many, compare your settings with what the funding service accepts.',
    fields: {
      kind,
      reference,
      reason: 'Why, for example `invalid-field`.',
      fields: 'JSON Pointers to the fields in the application, such as `/business/annualRevenue`.',
    },
    guide: 'operate/applications.md#send-a-rejected-application-again',
  },
  'delivery-refused': {
    group: 'Delivery',
    when: 'The funding service refused a row for a reason that is not about the applicant’s values. The row waits, and the BFF sends it again.',
    action: 'Give `reason` and `reference` to the support of the funding service.',
    fields: {
      kind,
      reference,
      reason: {
        'missing-field': 'a field of the lead is missing that the applicant does not enter',
        'invalid-field': 'a field of the lead is invalid that the applicant does not enter',
        'category-not-allowed': 'the category of the document is not allowed',
        'asset-report-invalid': 'the bank report is invalid',
        'duplicate-id': 'the funding service has a lead with this reference already',
        'application-id-missing': 'the ApplicationID is missing',
        'application-id-invalid': 'the ApplicationID is invalid',
        'application-not-found': 'the funding service does not have the application',
        'partner-headers-missing':
          'check `FUNDING_PARTNER_ID` and `FUNDING_PARTNER_NAME`. The account may also lack a permission',
        'request-malformed': 'the funding service could not read the request',
        'asset-report-missing': 'the bank report is missing',
        'processing-failed': 'the funding service failed while it processed the request',
        'content-not-base64': 'the funding service could not decode the document',
        'too-large': 'the request is too large for the funding service',
        unrecognized: 'the text of the refusal is not documented',
      },
      field: 'The field of the lead that the funding service named, if it named one.',
    },
    guide: 'operate/alarms.md#fundingapplicationrefused',
  },
  'delivery-held': {
    group: 'Delivery',
    when: 'The BFF stopped sending a row. It keeps the content, and waits for you.',
    action: 'Remove the cause, and run `retry` or `resolve`.',
    fields: {
      kind,
      reference,
      reason: {
        deadline: '72 hours of attempts are over',
        uncertain: 'the row may have been delivered, and another attempt can create a duplicate',
        interrupted: 'the process ended again and again while it sent the row',
        unreadable: 'the row cannot be decrypted',
      },
      attempts,
      outcome: 'How the last attempt ended, such as `unknown` or `partner-headers-missing`.',
    },
    guide: 'operate/alarms.md#reasons-of-held',
  },
  'application-unconfirmed': {
    group: 'Delivery',
    when: 'The funding service has a lead or may have it, and its ApplicationID is unknown.',
    action: 'Ask the support of the funding service for the ApplicationID, and run `resolve`.',
    fields: {
      reference,
      wasExpected: 'False if no earlier attempt was uncertain, as after a restored backup.',
    },
    guide: 'operate/alarms.md#fundingapplicationunconfirmed',
  },
  'possible-duplicate': {
    group: 'Delivery',
    when: 'A document or bank report arrived after attempts that may have arrived too.',
    action: 'Nothing, unless the funding service asks about copies.',
    fields: {
      kind: '`document` or `bank-report`.',
      reference,
      copies: 'How many copies the funding service has at most.',
    },
  },
  'row-unreadable': {
    group: 'Delivery',
    when: 'A row has invalid values. The BFF does not send it; it is `held` now.',
    action:
      'Compare the versions of all processes, and find any other program that writes to the store.',
    fields: { kind, id: 'The id of the row. The id of an application is its reference.' },
    guide: 'operate/alarms.md#reasons-of-held',
  },
  'tracking-url-refused': {
    group: 'Delivery',
    when: 'The tracking URL of an application is not an `https` URL of a host in the setting `trackingHosts`. The applicant gets no link.',
    action: 'If the host belongs to the funding service, add it to `trackingHosts`.',
    fields: { reference },
  },
  'delivery-broken': {
    group: 'Delivery',
    when: 'A bug in an attempt. The row waits, and the BFF sends it again.',
    action: 'Report `error`.',
    fields: { kind, reference, error },
  },
  'delivery-stalled': {
    group: 'Delivery',
    when: 'The store cannot be read or written. The BFF retries every few seconds.',
    action: 'Repair the store.',
    fields: { error },
    guide: 'operate/alarms.md#fundingstorenotready',
  },

  'status-event-sent': {
    group: 'Events for your systems',
    when: 'The consumer has the event.',
    fields: { consumer, reference, type, attempts },
  },
  'status-event-failed': {
    group: 'Events for your systems',
    when: 'An attempt to send an event failed. The BFF sends the event again.',
    action: 'If it repeats, correct the receiver.',
    fields: {
      consumer,
      reference,
      type,
      attempts,
      outcome: 'An HTTP status, a network error, `timeout`, or `threw` (the hook).',
      delayMs: 'Milliseconds until the next attempt.',
      error: 'With `threw`: the class, code, and position of the error.',
    },
    guide: 'operate/alarms.md#fundingeventslate',
  },
  'status-event-given-up': {
    group: 'Events for your systems',
    when: 'An event failed for three days. The BFF sends it no more, and goes on with later ones.',
    action: 'Correct the receiver, and send the events again with `webhooks retry`.',
    fields: { consumer, reference, type, attempts, outcome: 'How the last attempt ended.' },
    guide: 'operate/webhooks.md#send-events-again',
  },
  'status-events-paused': {
    group: 'Events for your systems',
    when: 'The consumer failed several times in a row. It gets one event after each pause.',
    fields: { consumer, ms: 'The length of the pause in milliseconds.' },
  },
  'status-events-resumed': {
    group: 'Events for your systems',
    when: 'The consumer takes events again.',
    fields: { consumer },
  },
  'status-events-stopped': {
    group: 'Events for your systems',
    when: 'The receiver answered `410 Gone`. The BFF sends it nothing more.',
    action:
      'If the receiver accepts events again, run `webhooks retry`. Otherwise change `WEBHOOK_URL` and restart, or unset it, restart, and run `webhooks remove webhook`.',
    fields: { consumer },
    guide: 'operate/alarms.md#fundingeventsstopped',
  },
  'status-events-stalled': {
    group: 'Events for your systems',
    when: 'The store cannot be read or written. The BFF retries every few seconds.',
    action: 'Repair the store.',
    fields: { consumer, error },
    guide: 'operate/alarms.md#fundingstorenotready',
  },

  'call-ended': {
    group: 'Funding service',
    when: 'A call of the funding service ended.',
    fields: {
      operation,
      outcome: {
        accepted: 'the response proves success',
        refused: 'the response is a definite refusal',
        authentication: 'the credentials or the token were refused, also after a new login',
        throttled: 'the funding service asked for fewer calls',
        'not-sent': 'the connection failed before anything was sent',
        unknown: 'something was sent, and no conclusive response came back',
      },
      durationMs: 'Milliseconds, with a new login if there was one.',
      status: 'The HTTP status of the last response, if there was one.',
      reason: 'With `refused`: the same reasons as in [`delivery-refused`](#delivery-refused).',
      failure: 'If the connection failed: a short code, such as `UND_ERR_SOCKET`.',
    },
  },
  'token-renewed': {
    group: 'Funding service',
    when: 'A login succeeded.',
    fields: {},
  },
  'token-unchanged': {
    group: 'Funding service',
    when: 'A login returned the same token that an operation had refused.',
    fields: {},
  },
  'login-refused': {
    group: 'Funding service',
    when: 'The funding service refused the credentials. Applications are stored, and sent later.',
    action:
      'Find out whether the account is locked, then correct the variables in `settings`, and restart. The BFF pauses logins meanwhile, so that the account is not locked. A restart ends the pause.',
    fields: {
      settings,
      refusal: {
        'client-id': 'the client ID is unknown',
        'client-secret': 'the client secret is wrong',
        client: 'the client ID or the client secret is wrong',
        'username-or-password':
          'the user name or the password is wrong, or the account is locked. Ask before you restart',
        grant: 'the account may not log in with a password',
        unrecognized: 'the answer does not say why',
      },
    },
    guide: 'operate/alarms.md#fundingservicedown',
  },
  'login-response-unreadable': {
    group: 'Funding service',
    when: 'The answer to a login is not one of the funding service.',
    action: 'Another server answers: check the variables in `settings`.',
    fields: { settings, status },
  },
  'login-throttled': {
    group: 'Funding service',
    when: 'The funding service asked for fewer logins. The BFF waits, and retries.',
    fields: { status },
  },
  'login-unreachable': {
    group: 'Funding service',
    when: 'The login did not reach the funding service. The BFF retries.',
    action: 'If it repeats, check the network, and the status page of the funding service.',
    fields: { failure: 'A short code, such as `ECONNREFUSED` or `HTTP_503`.' },
    guide: 'operate/alarms.md#fundingapplicationlate',
  },
  'login-paused': {
    group: 'Funding service',
    when: 'The BFF does not log in for a while, because accounts are locked after repeated refusals. The pause ends at a restart.',
    fields: { delayMs: 'Milliseconds until the next login.' },
  },
  'renewed-token-refused': {
    group: 'Funding service',
    when: 'An operation refused a token that a login had just returned.',
    action: 'Check the variables in `settings`: the partner headers can also be the cause.',
    fields: { settings, operation },
  },
  'partner-headers-refused': {
    group: 'Funding service',
    when: 'The funding service does not accept the partner headers.',
    action: 'Check `FUNDING_PARTNER_ID` and `FUNDING_PARTNER_NAME`.',
    fields: { settings, operation },
  },
  'instance-url-ignored': {
    group: 'Funding service',
    when: 'The answer to a login names another host than `FUNDING_BASE_URL`. The BFF does not call that host.',
    action: 'Check `FUNDING_BASE_URL` with the support of the funding service.',
    fields: { settings },
  },
  'breaker-opened': {
    group: 'Funding service',
    when: 'An operation failed several times in a row. The BFF does not call it, except for a trial call when a row is due or an applicant asks, at most every 30 s.',
    action: 'Check the network, and the status page of the funding service.',
    fields: { operation },
    guide: 'operate/alarms.md#fundingservicedown',
  },
  'breaker-closed': {
    group: 'Funding service',
    when: 'A trial call succeeded. The BFF calls the operation again.',
    fields: { operation },
  },
  'lead-limit-reduced': {
    group: 'Funding service',
    when: 'The funding service is overloaded. The process sends fewer applications at once, and raises the number again by itself.',
    fields: { limit: 'How many applications it sends at once.' },
    guide: 'operate/capacity.md#limit-the-concurrent-deliveries',
  },

  purged: {
    group: 'Retention',
    when: 'The BFF deleted what has passed its retention.',
    fields: { rows: 'How many rows.' },
    guide: 'operate/retention.md',
  },
  'undelivered-erased': {
    group: 'Retention',
    when: 'The BFF erased an application, or an attachment of it, before the funding service confirmed it, because `retention.undeliveredDays` are over.',
    action: 'Ask the applicant to apply again, and find out why nobody resolved the alarm.',
    fields: { reference },
    guide: 'operate/retention.md',
  },
  'retention-failed': {
    group: 'Retention',
    when: 'The store failed while the BFF erased old data. The BFF retries within a minute.',
    action: 'If it repeats, repair the store.',
    fields: { error },
    guide: 'operate/alarms.md#fundingstorenotready',
  },
} as const satisfies LogTexts<LogEvent, typeof logLevels>;
