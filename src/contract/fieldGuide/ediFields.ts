/** The mails that carry documents of orders. */
export const EDI_FIELDS: Readonly<Record<string, string>> = {
  message_id: 'The id of the mail, which is also the local part of its Message-ID.',
  'ResendEdi.message_id': "The mail whose document is sent again; by default that of the order's state.",
  'EdiMail.document':
    'confirmed: the order was placed. revised: it was placed instead of an order of which a mail went. cancelled: it was canceled after that.',
  document_id: 'The id of the document: documentCode in it, EDI-Document-Id in the mail. It stays when the document is sent again.',
  'EdiMail.seq': 'The seq of the event of the order that the document is about.',
  'EdiMail.to': 'The address, as it was at the first attempt; null before that.',
  'EdiMail.status':
    'queued: it is tried until it goes or 72 hours have passed. sent: the mail server accepted it. failed: it did not go. bounced: it was accepted and came back. skipped: it was not needed.',
  'EdiMail.status_reason':
    'Why it failed, bounced or was skipped. refused: the mail server refused the address or the mail. expired: it did not go within 72 hours. invalid_document: the platform made a wrong document, at the path that follows. replaced: a revised document named this order. nothing_sent: no earlier mail of the order can have gone. The enhanced status code, if it bounced. Values may be added.',
  stuck:
    'Why it does not go, from the third attempt on: auth, tls, dns, connect, or deferred (the mail server says later); null if nothing is wrong.',
  message_ref: 'The Message-ID of the mail, without angle brackets; null before its first attempt.',
  resend_of: 'The mail whose document this one sends again.',
  'EdiMail.filename': 'The name of the attached document; null before the first attempt.',
  'EdiMail.sha256': 'The SHA-256 of the attached document, in hexadecimal; null before the first attempt.',
  'EdiMail.warnings': 'What the receiver should know of the document, and members of the request that were ignored.',
  'EdiMail.created_at': 'The UTC time of the event, or of the request to send it again.',
  'EdiMail.due_at': 'The UTC time of the next attempt, while it is queued.',
  sent_at: 'The UTC time at which the mail server accepted it.',
  bounced_at: 'The UTC time at which it came back.',
  'EdiMail.attempts': 'The attempts, oldest first.',
  'EdiAttempt.at': 'The UTC time at which the attempt began.',
  outcome: 'accepted; refused for good; deferred: refused for now; unreachable: no answer.',
  'EdiAttempt.code': "The reply code of the mail server; absent if there was none. The server's words are not kept.",
  enhanced: 'The enhanced status code of the mail server (RFC 3463); absent if there was none.',
  'EdiMailList.reason':
    'Why the order has no address for its documents: no_agreement: it is under no agreement. no_address: its agreement has no edi. Null if it has one.',
  'parameters.message_id': 'The id of the mail.',
  mail_id: 'The id of a mail in the mailbox of the sandbox.',
  'SandboxMail.to': 'The address that the mail was sent to.',
  'SandboxMail.subject': 'Its subject.',
  'SandboxMail.received_at': 'The UTC time at which the mailbox accepted it.',
  'listSandboxMails.order_id': 'Shows the mails of this order only.',
  'getEdiDocument.format': 'The form of the document; scx if the mail carries it, else csv.',
  'getReceivedEdiDocument.format': 'The form of the document; scx if the mail carries it, else csv.',
}
