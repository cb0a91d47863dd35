import { DEEPEST } from '../../libs/validation/parse-json.ts';
import { MOST_FAULTS } from '../../libs/validation/validator.ts';
import { badRequest, RequestError } from '../../libs/errors/request-error.ts';

/** A limit of what one request may bring, as docs/api.md lists it. */
export type Limit = { value: number; subject: string; status: 400 | 403 | 413 | 429 | 503 };

/**
 * What one request may bring. Each limit keeps the time of a request in bounds, and is far above what is in use elsewhere.
 * The table "Limits" of docs/api.md has one row for each.
 */
export const LIMITS = {
  bodyBytes: { value: 1024 * 1024, subject: 'bytes of a body', status: 413 },
  openBodyBytes: { value: 64 * 1024, subject: 'bytes of a body of a call without a token', status: 413 },
  jsonDepth: { value: DEEPEST, subject: 'levels of a JSON body', status: 400 },
  bodyValues: { value: 10_000, subject: 'values in a body, or in the data of a secret', status: 413 },
  bodyParameters: { value: 1000, subject: 'parameters of a body', status: 400 },
  pathSegments: { value: 600, subject: 'segments of a path', status: 400 },
  queryParameters: { value: 1000, subject: 'parameters of a query', status: 400 },
  secretBytes: { value: 1024 * 1024, subject: 'bytes of the data of a secret, as JSON', status: 413 },
  secretPathBytes: { value: 1024, subject: 'bytes of the path of a secret', status: 400 },
  versions: { value: 1000, subject: 'numbers of versions to delete, undelete or destroy', status: 400 },
  policyBytes: { value: 512 * 1024, subject: 'bytes of the text of a policy', status: 413 },
  policyRules: { value: 5000, subject: 'rules of a policy', status: 400 },
  policyParameters: { value: 20_000, subject: 'names and values of parameters in a policy', status: 400 },
  tokenPolicies: { value: 500, subject: 'policies of a token, and of each list of a role', status: 400 },
  tokenRules: {
    value: 50_000,
    subject: 'rules, names and values of parameters in all policies of a token',
    status: 403,
  },
  globLetters: {
    value: 256,
    subject: 'letters of a pattern of policy names in a role, or of namespaces',
    status: 400,
  },
  roleCidrs: { value: 500, subject: 'addresses and ranges of a role', status: 400 },
  alertRules: { value: 100, subject: 'rules for alerts in a namespace', status: 400 },
  previews: { value: 2, subject: 'previews of policies of a token under way', status: 429 },
  allPreviews: { value: 8, subject: 'previews of policies under way in one process of the API', status: 503 },
  askedPolicies: { value: 20, subject: 'policies that a list is asked about', status: 400 },
  askedPaths: { value: 200, subject: 'paths that capabilities are asked for', status: 400 },
  askedPathBytes: { value: 4096, subject: 'bytes of each of these paths', status: 400 },
  wrappedAnswers: { value: 5000, subject: 'wrapped answers of a token that wait to be fetched', status: 400 },
  wrappedBytes: {
    value: 16 * 1024 * 1024,
    subject: 'bytes of these answers, as they are stored',
    status: 400,
  },
  cubbyholeEntries: { value: 500, subject: 'values in the cubbyhole of a token', status: 400 },
  cubbyholeBytes: {
    value: 1024 * 1024,
    subject: 'bytes of these values, as they are stored, and of their paths',
    status: 400,
  },
  xmlBytes: { value: 512 * 1024, subject: 'bytes of the XML of a SAML answer', status: 413 },
  samlAnswers: { value: 16, subject: 'SAML answers from one address under way', status: 429 },
  largeSamlAnswers: {
    value: 64,
    subject: 'SAML answers over 64 KiB under way in one process of the API',
    status: 503,
  },
  xmlDepth: { value: 32, subject: 'levels of this XML', status: 400 },
  xmlElements: { value: 2000, subject: 'elements and CDATA sections of this XML', status: 400 },
  xmlAttributes: { value: 8000, subject: 'attributes of this XML', status: 400 },
  xmlElementAttributes: { value: 32, subject: 'attributes of one element of this XML', status: 400 },
  xmlAttributeLetters: { value: 2048, subject: 'letters of one attribute of this XML', status: 400 },
  xmlNamespaces: { value: 64, subject: 'namespaces in force at one place of this XML', status: 400 },
  xmlNamespaceLetters: { value: 256, subject: 'letters of one namespace of this XML', status: 400 },
  eventTypeLetters: { value: 256, subject: 'letters of the types of events to subscribe to', status: 400 },
  namespacePatterns: { value: 10, subject: 'patterns of namespaces of a subscription', status: 400 },
  filterBytes: { value: 1024, subject: 'bytes of the filter of a subscription', status: 400 },
  filterDepth: { value: 16, subject: 'levels of this filter', status: 400 },
  subscriptionsOfToken: { value: 500, subject: 'subscriptions of a token to events', status: 429 },
  subscriptions: {
    value: 2000,
    subject: 'subscriptions to events in one process of the API',
    status: 503,
  },
  faults: { value: MOST_FAULTS, subject: 'faults that a refusal names', status: 400 },
} satisfies Record<string, Limit>;

/** Throws the refusal of a limit if `given` is more than it allows; it says both numbers. */
export function requireWithin(limit: Limit, given: number): void {
  if (given <= limit.value) return;
  const detail = `${limit.subject}: ${given} are too many, at most ${limit.value} are allowed`;
  if (limit.status === 413) throw new RequestError('too_large', [detail]);
  throw badRequest(detail);
}
