import { RequestError } from '../../../libs/errors/request-error.ts';

/** Replies by which a server refuses whom we say we are, or asks us to say it. */
const LOGIN_REPLIES = new Set([530, 534, 535, 538]);

/** 504. */
export function timedOut(): RequestError {
  return new RequestError(504, 'smtp_timeout', ['the SMTP server did not answer in time; nothing was saved']);
}

/** What a failed conversation means to the caller: 401 for a refused login, 504 for silence, 500 for the rest. */
export function mailFailure(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  const reply = typeof responseCode === 'number' ? responseCode : undefined;
  if (code === 'ETIMEDOUT') return timedOut();
  if (reply !== undefined && LOGIN_REPLIES.has(reply)) {
    return new RequestError(401, 'smtp_login', [
      'the SMTP server refused the user name or the password; nothing was saved',
    ]);
  }
  // The server's own words could repeat what we sent.
  const said = reply === undefined ? describeFailure(code) : `it answered with code ${reply}`;
  return new RequestError(500, 'smtp_failed', [`the SMTP server failed: ${said}; nothing was saved`]);
}

function describeFailure(code: unknown): string {
  switch (code) {
    case 'EDNS':
      return 'its name is not known';
    case 'ETLS':
    case 'EREQUIRETLS':
      return 'the TLS handshake did not succeed';
    case 'EAUTH':
      return 'the way to log in is not supported';
    case 'ESOCKET':
    case 'ECONNECTION':
      return 'it cannot be reached or closed the connection';
    default:
      return 'the conversation broke off';
  }
}
