/** What a refusal means, defined once: the status that callers get, and a text for people. docs/errors.md is made from it. */
type ErrorRow = {
  status: number;
  /** A whole sentence. */
  meaning: string;
  /** What a person does; absent: what the text of the refusal says. */
  action?: string;
};

const request = {
  bad_request: { status: 400, meaning: 'The request asks for something that is not possible as it stands.' },
  bad_body: { status: 400, meaning: 'The body ended early or could not be read.', action: 'Send it again.' },
  bad_encoding: { status: 400, meaning: 'The body is not in the encoding that its header names.' },
  setting_is_fixed: {
    status: 400,
    meaning: 'A setting cannot change while the destination manages associations.',
    action: 'Remove the associations first, or make another destination.',
  },
  unknown_parameter: { status: 400, meaning: 'The query has a parameter that the endpoint does not know.' },
  unsupported_header: {
    status: 400,
    meaning: 'A header asks for something that this service does not offer.',
  },
  unsupported_operation: {
    status: 405,
    meaning: 'The path does not have this method; `Allow` has those it has.',
  },
  unsupported_path: { status: 404, meaning: 'No endpoint has this path.' },
  conflict: {
    status: 409,
    meaning: 'Someone else changed the same thing at this moment, or a thing of that name exists.',
  },
  other_id: { status: 409, meaning: 'The document names another id than the path.' },
  precondition_failed: {
    status: 412,
    meaning: 'The change is for another state than the present one (`If-Match`).',
    action: 'Read it again, and decide again.',
  },
  too_large: { status: 413, meaning: 'The body, or the secret, is larger than the limit.' },
  unsupported_media_type: { status: 415, meaning: 'The endpoint does not take this type of content.' },
  unsupported_encoding: { status: 415, meaning: 'The body is compressed in a way that is not supported.' },
  expectation_failed: { status: 417, meaning: '`Expect` asks for something other than 100-continue.' },
  unprocessable: { status: 422, meaning: 'Some attributes are not valid; each is named with its fault.' },
} satisfies Record<string, ErrorRow>;

const rights = {
  unauthorized: { status: 401, meaning: 'The request has no valid token.', action: 'Send one, or log in.' },
  saml_refused: { status: 401, meaning: 'The answer of the identity provider was refused.' },
  permission_denied: {
    status: 403,
    meaning: 'The policies of the token do not allow the request.',
    action: 'Ask for a policy with the capability.',
  },
  root_namespace_only: { status: 403, meaning: 'Only the root namespace has this endpoint.' },
  not_found: { status: 404, meaning: 'There is no such thing, or the caller may not know of it.' },
} satisfies Record<string, ErrorRow>;

const service = {
  rate_limited: {
    status: 429,
    meaning: 'The caller has sent too many requests.',
    action: 'Wait as long as `Retry-After` says.',
  },
  internal_error: {
    status: 500,
    meaning: 'An error that nobody foresaw.',
    action: 'Search the logs for the request id.',
  },
  outcome_unknown: {
    status: 503,
    meaning: 'A part of the service was lost while it worked, so the change may have been made.',
    action: 'Read it before sending it again.',
  },
  queue_full: {
    status: 503,
    meaning: 'Syncing is disabled, and as many associations wait as `queue_capacity` allows.',
    action: 'Enable syncing, or raise queue_capacity.',
  },
  unavailable: {
    status: 503,
    meaning: 'A part of the service is down; nothing was done.',
    action: 'Try again after `Retry-After`; `sealift doctor` says which part.',
  },
  smtp_login: { status: 401, meaning: 'The mail server refused the login; nothing was saved.' },
  smtp_failed: { status: 500, meaning: 'The mail server failed, or cannot be reached; nothing was saved.' },
  smtp_timeout: { status: 504, meaning: 'The mail server did not answer in time; nothing was saved.' },
} satisfies Record<string, ErrorRow>;

/** All codes of refusals, by what they are about. */
export const ERROR_CODES = { ...request, ...rights, ...service };

export type ErrorCode = keyof typeof ERROR_CODES;

/** Whether a word from elsewhere, such as a worker of another version, is one of the codes. */
export function isErrorCode(word: string): word is ErrorCode {
  return Object.hasOwn(ERROR_CODES, word);
}
