// By the second and third part of the enhanced code (RFC 3463 and its registry at IANA).
const ENHANCED: Record<string, string> = {
  '1.0': 'the address is refused',
  '1.1': 'there is no such mailbox',
  '1.2': 'the domain of the address does not exist',
  '1.3': 'the address is not valid',
  '1.6': 'the mailbox has moved',
  '1.7': 'the address of the sender is not valid',
  '1.8': 'the domain of the sender does not exist',
  '1.10': 'the domain of the address takes no mail',
  '2.0': 'the mailbox takes no mail now',
  '2.1': 'the mailbox is disabled',
  '2.2': 'the mailbox is full',
  '2.3': 'the message is too large for the mailbox',
  '3.1': 'the server has no room for more mail',
  '3.2': 'the server takes no mail now',
  '3.4': 'the message is too large',
  '4.1': 'the server of the address does not answer',
  '4.4': 'the server knows no way to the address',
  '5.2': 'the command is not valid',
  '7.0': 'a rule of the server forbids it',
  '7.1': 'the server may not take this mail from here, to this address, or from this sender',
  '7.23': 'SPF does not allow this server to send for the domain of the sender',
  '7.25': 'the address of this server has no name in DNS',
  '7.26': 'neither SPF nor DKIM confirms the sender',
  '7.60': 'the login may not send as this sender',
};

// Of servers that give no enhanced code (RFC 5321).
const BASIC: Record<number, string> = {
  421: 'the server takes no mail now',
  450: 'the mailbox takes no mail now',
  451: 'the server failed, or wants another attempt later',
  452: 'the server has no room for more mail, or takes fewer at once',
  550: 'there is no such mailbox, or the server may not take this mail',
  551: 'the mailbox is at another server',
  552: 'the mailbox is full, or the message is too large',
  553: 'the address is not allowed',
  554: 'the server refuses the message',
};

/** What the codes of a mail server’s refusal of an address or a message mean; undefined if they are not usual. */
export function meaningOf(reply: number, enhanced: string | undefined): string | undefined {
  return ENHANCED[enhanced?.replace(/^\d\./, '') ?? ''] ?? BASIC[reply];
}
