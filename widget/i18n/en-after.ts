// The English texts of the steps after the submission, except the offers.

export const enAfter = {
  'submitted.accepted.title': 'We sent your application to the lender',
  'submitted.accepted.text':
    'Save your reference number. You’ll need it if you contact us or the lender.',
  'submitted.received.text':
    'We saved it and are sending it to the lender. This usually takes a few seconds.',
  'submitted.delayed.text':
    'We saved it, but the lender’s system hasn’t received it yet. We’ll keep trying. You don’t need to send it again.',
  'submitted.confirming.text':
    'We saved it and are confirming that the lender received it, which may take a little longer. You don’t need to send it again.',
  'submitted.support': 'Need help now? {contact}. Have your reference number ready.',
  'submitted.reference': 'Reference number',
  'submitted.received-at': 'Received {time}',
  'submitted.check': 'Check again',
  'submitted.checked': 'Last checked {time}',
  'submitted.next.title': 'What happens next',
  'submitted.next.received': 'We received your application.',
  'submitted.next.now': 'Now, if you can',
  'submitted.next.then': 'After the lender reviews your application',
  'submitted.next.offers': 'Compare your offers, if you get any.',
  'submitted.not-started': 'Not started',
  'submitted.files.one': '1 file sent',
  'submitted.files.many': '{count} files sent',
  'submitted.bank': 'Connected',
  'submitted.continue': 'Continue to documents',
  'submitted.offers': 'See my offers',
  'submitted.print': 'Print this page',
  record: 'Your answers',
  tracking: 'Track your application on the lender’s site',
  'submitted.page-only':
    'Your application was sent, but this browser doesn’t keep our cookies, so you can’t view it here after you close or reload this page. Write down your reference number.',
  finish: 'Close my application on this device',
  'finish.hint':
    'On a shared device? Remove your application from this screen. It doesn’t change what you sent.',
  'finish.ending': 'Closing…',
  'finish.unsent':
    'Some of your files haven’t been sent. Send them first, or select “Close my application on this device” again to close without them.',
  'finished.title': 'Your application is closed on this device',
  'finished.text':
    'Nothing from your application is saved or shown here anymore. This doesn’t change what you sent. You can close this page.',
  'finished.new': 'Start another application',
  'attachments.waiting': 'We’ll send what you add here as soon as the lender has your application.',
  'documents.why.page-only':
    'Recent bank statements help the lender review your application. You can skip this and come back while this page is open.',
  'documents.drop': 'Drop files here, or',
  'documents.choose': 'Choose files',
  'documents.hint': '{types}. Up to {count} files, {size} each.',
  'documents.hint.total': '{types}. Up to {count} files, {size} each and {total} in total.',
  'documents.camera': 'Take a photo',
  'documents.list': 'Your files',
  'documents.unnamed': 'File {number}',
  'documents.category': 'What is this document?',
  'documents.suggested': 'Suggested from the file name',
  'documents.category.required': 'Choose what kind of document {name} is',
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
    'Without bank statements or a bank connection, the lender may take longer or ask for them later.',
  'documents.preparing': 'Preparing…',
  'documents.location': 'We couldn’t remove the location data from this photo.',
  'documents.state.queued': 'Waiting to upload',
  'documents.state.checking-later': 'We couldn’t check this file yet. We’ll try again soon.',
  'documents.state.offline': 'Waiting for a connection',
  'documents.state.finishing': 'Finishing…',
  'documents.state.uploading': 'Uploading, {percent}%',
  'documents.state.delivered': 'Sent',
  'documents.state.received': 'Received, sending to the lender',
  'documents.state.delayed': 'Received, but not sent to the lender yet',
  'documents.state.rejected': 'Not accepted by the lender',
  'documents.state.infected': 'Blocked by our virus scan',
  'documents.announce.added': '{name}: added, not sent yet',
  'documents.announce.repeated': '{name}: already in your list',
  'documents.announce.half': '{name}: 50% uploaded',
  'documents.announce.received': '{name}: received, sending to the lender',
  'documents.announce.done': '{name}: sent',
  'documents.announce.failed': '{name}: not sent. {reason}',
  'documents.announce.removed': '{name}: removed',
  'documents.problem.type': 'We can’t accept this type of file. Use {types}.',
  'documents.problem.heic':
    'We can’t accept HEIC photos. Save the photo as a JPG or take a screenshot of it, then choose that one.',
  'documents.problem.size': 'This file is {actual}. Choose a file of up to {size}.',
  'documents.problem.empty': 'This file is empty. Choose another one.',
  'documents.problem.count': 'You can send up to {count} files. Remove one to make room.',
  'documents.problem.space':
    'This file doesn’t fit. You can send up to {total} in total. Choose a smaller file, or remove another one.',
  'documents.problem.canceled': 'Upload canceled. This file wasn’t sent.',
  'documents.unsent':
    'You have files that haven’t been sent. Send or remove them, or continue without them.',
  'checklist.title': 'Most helpful documents',
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
  'bank.demonstration': 'Demo bank',
  'bank.demonstration.text':
    'This isn’t a real bank. It creates a sample 90-day report so you can see how connecting works.',
  'bank.start': 'Connect a bank',
  'bank.skip': 'Continue without connecting',
  'bank.choose': 'Choose your bank',
  'bank.accounts': 'Which accounts do you want to share?',
  'bank.accounts.required': 'Choose at least one account',
  'bank.institution.required': 'Choose one of these banks',
  'bank.checking': 'Business checking',
  'bank.savings': 'Business savings',
  'bank.share.text':
    'The lender receives account holders’ names and contact details, balances, and transactions from the last 90 days. The lender can’t use this to move money.',
  'bank.share': 'Share with the lender',
  'bank.cancel': 'Not now',
  'bank.sending': 'Sending your bank report…',
  'bank.delivered': 'We sent your bank report to the lender.',
  'bank.received': 'We received your bank report and are sending it to the lender.',
  'bank.delayed':
    'We received your bank report, but the lender’s system hasn’t received it yet. We’ll keep trying.',
  'bank.rejected':
    'The lender couldn’t use your bank report. Connect your bank again, or send bank statements instead.',
  'offers.check': 'Check now',
  'offers.checking': 'Checking…',
  'problem.already-sent':
    'Your application was already sent, so you can’t change it here. It won’t be sent twice.',
  'problem.rejected-with-documents':
    'The lender couldn’t process your application. Your answers are still here. Check them and submit again. Then add your documents and bank report again.',
  'problem.application-pending':
    'The lender doesn’t have your application yet. We’re sending it. Try again in a moment.',
  'problem.service-refused':
    'We’re having trouble with the lender’s system. Nothing you sent is lost, and you don’t need to send it again.',
  'problem.document-name-invalid':
    'We can’t use this file’s name. Rename the file, then choose it again.',
  'problem.document-category-invalid': 'Choose what kind of document this is.',
  'problem.document-length-required': 'This browser couldn’t send the file. Try another browser.',
  'problem.document-empty': 'This file is empty. Choose another one.',
  'problem.document-too-large': 'This file is too large. Choose a smaller one.',
  'problem.document-incomplete': 'The upload didn’t finish. Try again.',
  'problem.document-type-refused': 'We can’t accept this type of file. Choose another one.',
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
    'We couldn’t check this file because of a problem on our end. Your file is still here. Try again in a few minutes.',
  'problem.document-too-many-pixels':
    'This picture has too many pixels. Save it in a smaller size or take a screenshot of it, then choose that one.',
  'problem.document-infected':
    'Our virus scan blocked this file, so it wasn’t sent. Choose another copy.',
  'problem.document-limit-reached': 'You’ve sent the maximum number of files for this application.',
  'problem.document-space-exhausted':
    'There’s no room left for this file. Send a smaller one, like a black-and-white scan.',
  'problem.document-rejected':
    'The lender couldn’t accept this file. Check what you chose for “What is this document?”, or send another copy.',
  'problem.asset-report-invalid': 'The bank report is empty. Connect your bank again.',
  'problem.asset-report-rejected':
    'The lender couldn’t use your bank report. Connect your bank again, or send bank statements instead.',
} as const;
