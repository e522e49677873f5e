// The English sentences of what comes after the application was sent; loaded with its steps.

export const enAfter = {
  'submitted.accepted.title': 'Your application has been sent',
  'submitted.accepted.text':
    'The lender has it. Keep this reference: it is the quickest way to find your application.',
  'submitted.received.text':
    'It is stored safely and is being passed on to the lender. This usually takes a few seconds.',
  'submitted.delayed.text':
    'It is stored safely, but the lender’s system has not taken it yet. We are seeing to it. You do not need to send it again.',
  'submitted.confirming.text':
    'It is stored safely. We are making sure that the lender has it, which can take a little longer. You do not need to send it again.',
  'submitted.support': 'If it cannot wait: {contact}. Have your reference at hand.',
  'submitted.reference': 'Reference',
  'submitted.received-at': 'Received {time}',
  'submitted.check': 'Check again',
  'submitted.checked': 'Last checked {time}',
  'submitted.next.title': 'What happens next',
  'submitted.next.received': 'We received your application.',
  'submitted.next.now': 'Now, if you can',
  'submitted.next.then': 'Once the lender has looked at it',
  'submitted.next.offers': 'Compare the offers, if there are any.',
  'submitted.not-started': 'Not given yet',
  'submitted.files.one': '1 file given',
  'submitted.files.many': '{count} files given',
  'submitted.bank': 'Connected',
  'submitted.continue': 'Continue to documents',
  'submitted.offers': 'See my offers',
  'submitted.print': 'Print this page',
  record: 'Your answers',
  tracking: 'Follow your application on the lender’s site',
  'submitted.page-only':
    'This browser keeps no cookie of ours. Your application is sent, but once this page is closed or reloaded it cannot be shown here again: note the reference, and keep the page open for as long as you need it.',
  finish: 'Finish on this computer',
  'finish.hint':
    'On a computer that others use as well: close your application here. What you have sent stays sent.',
  'finish.ending': 'Finishing…',
  'finish.unsent':
    'Some of your files are not sent yet and would be lost. Send them first, or press “Finish on this computer” once more.',
  'finished.title': 'You have finished on this computer',
  'finished.text':
    'Nothing of your application is shown or kept here any more. What you have sent stays sent; you do not need to send it again. You can close this page.',
  'finished.new': 'Start another application',
  'attachments.waiting': 'The lender gets what you give here as soon as it has your application.',
  'documents.why.page-only':
    'Recent bank statements speed up a decision. You can skip this, or come back to it while this page is open.',
  'documents.drop': 'Drop files here, or',
  'documents.choose': 'Choose files',
  'documents.hint': '{types}, up to {size} each, {count} files at most',
  'documents.hint.total': '{types}, up to {size} each, {count} files and {total} in all at most',
  'documents.camera': 'Take a photo',
  'documents.list': 'Your files',
  'documents.unnamed': 'File {number}',
  'documents.category': 'What is this?',
  'documents.suggested': 'Suggested from the file name',
  'documents.category.required': 'Choose what {name} is',
  'documents.remove': 'Remove',
  'documents.cancel': 'Cancel',
  'documents.retry': 'Retry',
  'documents.remove.for': 'Remove {name}',
  'documents.cancel.for': 'Cancel sending {name}',
  'documents.retry.for': 'Retry sending {name}',
  'documents.send.one': 'Send 1 file',
  'documents.send.many': 'Send {count} files',
  'documents.count': '{sent} of {count} sent',
  'documents.skip': 'Continue without documents',
  'documents.continue': 'Continue',
  'documents.skip.text':
    'Without statements or a bank connection, lenders may take longer or ask you for them later.',
  'documents.preparing': 'Getting it ready…',
  'documents.location': 'The place where it was taken could not be removed from this photo.',
  'documents.state.queued': 'Waiting for its turn',
  'documents.state.checking-later': 'We couldn’t check this file yet. We’ll try again soon.',
  'documents.state.offline': 'Waiting for the connection',
  'documents.state.finishing': 'Passing it on…',
  'documents.state.uploading': 'Sending, {percent} %',
  'documents.state.delivered': 'Sent',
  'documents.state.received': 'Received, being passed on',
  'documents.state.delayed': 'Received, not passed on yet',
  'documents.state.rejected': 'Not accepted by the lender',
  'documents.state.infected': 'Refused by the virus scanner',
  'documents.announce.added': '{name}: added, not sent yet',
  'documents.announce.repeated': '{name}: already in your list',
  'documents.announce.half': '{name}: half sent',
  'documents.announce.received': '{name}: received, being passed on',
  'documents.announce.done': '{name}: sent',
  'documents.announce.failed': '{name}: not sent. {reason}',
  'documents.announce.removed': '{name} removed',
  'documents.problem.type': 'This type of file cannot be sent. Use {types}.',
  'documents.problem.heic':
    'HEIC photos cannot be sent. Save yours as JPG or take a screenshot of it, then choose that one.',
  'documents.problem.size': 'This file is {actual}; the limit is {size}.',
  'documents.problem.empty': 'This file is empty.',
  'documents.problem.count': 'You can send {count} files at most.',
  'documents.problem.space':
    'Your files may take up {total} in all, and this one needs more than is left. Choose a smaller one, or remove another.',
  'documents.problem.canceled': 'Cancelled. Nothing of this file was kept.',
  'documents.unsent':
    'You have files that are not sent yet. Send or remove them, or continue without them.',
  'checklist.title': 'What helps most',
  'checklist.done': 'Done',
  'checklist.open': 'Not yet',
  'checklist.count': '{found} of {count}',
  'group.bank-statements': 'Bank statements',
  'group.identity': 'Identity',
  'group.financials': 'Tax and accounting',
  'group.ownership': 'Ownership and registration',
  'group.debt': 'Debts and liens',
  'group.lender': 'From the lender',
  'group.other': 'Other',
  'bank.demonstration': 'Demonstration bank',
  'bank.demonstration.text':
    'This bank is invented. It makes up a complete report of 90 days, so that you can see how a connection works.',
  'bank.start': 'Connect a bank',
  'bank.skip': 'Continue without connecting',
  'bank.choose': 'Choose your bank',
  'bank.accounts': 'Which accounts may the lender see?',
  'bank.accounts.required': 'Choose at least one account',
  'bank.institution.required': 'Choose one of these banks',
  'bank.checking': 'Business checking',
  'bank.savings': 'Business savings',
  'bank.share.text':
    'The lender receives names and contact details of the account holders, balances and the transactions of the last 90 days. It gets no access to move money.',
  'bank.share': 'Share with the lender',
  'bank.cancel': 'Not now',
  'bank.sending': 'Sending the report…',
  'bank.delivered': 'Your bank report has been sent to the lender.',
  'bank.received': 'We have your bank report and are passing it on to the lender.',
  'bank.delayed':
    'We have your bank report, but the lender’s system has not taken it yet. We are seeing to it.',
  'bank.rejected':
    'The lender could not use the bank report. You can connect again or send statements instead.',
  'offers.check': 'Check now',
  'offers.checking': 'Checking…',
  'problem.already-sent':
    'Your application has been sent. It can no longer be changed here, and nothing is sent twice.',
  'problem.rejected-with-documents':
    'The lender could not take the application as it is. Nothing you entered is lost: check your answers, then send it again. Documents and bank report went with it, and have to be given once more afterwards.',
  'problem.application-pending':
    'The lender does not have your application yet. We are passing it on; try again in a moment.',
  'problem.service-refused':
    'Something is wrong between us and the lender. Nothing you gave is lost, and you do not need to send it again.',
  'problem.document-name-invalid':
    'The name of this file cannot be used. Rename the file, then choose it again.',
  'problem.document-category-invalid': 'Choose what this file is.',
  'problem.document-length-required': 'This browser could not send the file. Try another browser.',
  'problem.document-empty': 'This file is empty.',
  'problem.document-too-large': 'This file is larger than the limit.',
  'problem.document-incomplete': 'The file did not arrive whole. Try again.',
  'problem.document-type-refused': 'This type of file cannot be sent.',
  'problem.document-type-mismatch':
    'This file isn’t in the format its name says. Save it again in the right format, then choose it again.',
  'problem.document-damaged':
    'This file is damaged or incomplete. Download it again. If that doesn’t help, print it to a new PDF.',
  'problem.document-picture-damaged':
    'This picture is damaged or incomplete. Take a new photo, or save the picture again.',
  'problem.document-password':
    'This file needs a password to open. Save a copy without a password, then choose that one.',
  'problem.document-attachments':
    'This file has other files attached. Export or print it as a PDF without attachments, then choose that one.',
  'problem.document-active-content':
    'This file can start a program, or load or send something by itself. Print it to a new PDF, then choose that one.',
  'problem.document-media':
    'This file has video, sound, or 3D content. Print it to a new PDF, then choose that one.',
  'problem.document-scripts':
    'This file contains scripts. Print it to a new PDF, then choose that one.',
  'problem.document-unsafe':
    'This file has another file inside, or unpacks to a very large size. Print it to a new PDF, then choose that one.',
  'problem.document-not-checked':
    'We couldn’t check this file. Print it to a new PDF, or take a photo of it, then choose the new one.',
  'problem.inspection-unavailable':
    'We couldn’t check this file because of a problem on our side. Your file is still here. Try again in a few minutes.',
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
} as const;
