import { counted } from '../collections/counted.ts';
import { describeDuration } from './duration.ts';
import { labelOf } from './label.ts';
import { refusedPart } from './outcome.ts';

type Detail = Record<string, unknown>;

const MOST = 6;

const REFUSALS: Record<string, string> = {
  no_token: 'no token was sent',
  bad_token: 'the token is unknown',
  ended_token: 'the token has expired',
  wrong_address: 'the token is bound to other addresses',
  no_csrf: 'it did not come from a page of the console',
  foreign_page: 'it came from a foreign page',
  unknown_namespace: 'no such namespace',
  permission_denied: 'no permission',
  log_in_failed: 'wrong credentials',
  bad_wrapping_token: 'the wrapping token is unknown or was used',
  refused_change: 'refused after very many refusals',
  rate_limited: 'too many requests',
};

/**
 * What the detail of an entry adds to its sentence: versions, keys, policies, what was changed. `fieldName` gives the
 * label of a field.
 */
export function factsOf(detail: Detail | null, fieldName: (field: string) => string = labelOf): string[] {
  if (!detail) return [];
  const { changed, kind, count } = detail;
  return [
    detail['change'] === 'none' ? 'nothing changed' : '',
    numberFact(typeof detail['mount'] === 'string' ? 'KV version' : 'version', detail['version']),
    versionsFact(detail['versions']),
    numberFact('from version', detail['from']),
    listFact('keys', detail['keys']),
    listFact('policies', detail['policies']),
    foundFact(detail['found']),
    askedFact(detail['asked']),
    lifetimeFact(detail['ttl_seconds']),
    rulesFact(detail),
    ...decisionFacts(detail),
    isObject(changed) && !('added' in detail) ? changedFact(detail, changed, fieldName) : '',
    isObject(detail['custom_metadata'])
      ? listFact('custom metadata:', Object.keys(detail['custom_metadata']))
      : '',
    typeof detail['reason'] === 'string' && detail['reason'] !== '' ? `“${detail['reason']}”` : '',
    untilFact(detail['until']),
    partFact(refusedPart(detail)),
    typeof detail['refusal'] === 'string' ? detail['refusal'] : '',
    typeof kind === 'string' ? (REFUSALS[kind] ?? '') : '',
    typeof count === 'number' && count > 1 ? counted(count, 'time') : '',
  ].filter(Boolean);
}

// With its zone: the reader may be elsewhere.
function untilFact(until: unknown): string {
  const time = new Date(typeof until === 'string' ? until : '');
  if (Number.isNaN(time.getTime())) return '';
  return `until ${time.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'long' })}`;
}

function versionsFact(list: unknown): string {
  return listFact(Array.isArray(list) && list.length === 1 ? 'version' : 'versions', list);
}

// Its sentence tells those that were not refused.
function partFact(refused: number): string {
  return refused > 0 ? `${refused} refused` : '';
}

// How many entries of a link a comparison found in which state: "2 in sync, 1 drifted".
function foundFact(found: unknown): string {
  if (!isObject(found)) return '';
  return Object.entries(found)
    .map(([state, count]) => `${String(count)} ${state.replaceAll('_', ' ')}`)
    .join(', ');
}

function askedFact(attempt: unknown): string {
  if (!isObject(attempt)) return '';
  const policies = listFact('asked for the policies', attempt['policies']);
  return policies === '' ? rulesFact(attempt) : policies;
}

// Of a new link: its sentence says that it was linked.
function decisionFacts({ link, conflict_policy: policy, secret_name_template: template }: Detail): string[] {
  if (link !== 'created') return [];
  return [
    typeof template === 'string' && template !== '' ? `with the name ${template}` : '',
    policy === 'adopt' || policy === 'overwrite' ? `may ${policy} an entry with its name` : '',
  ];
}

function rulesFact(detail: Detail): string {
  const counts = ['added', 'removed']
    .filter((name) => isObject(detail[name]))
    .map((name) => `${counted(Object.keys(detail[name] as object).length, 'rule')} ${name}`);
  return counts.join(', ');
}

function lifetimeFact(seconds: unknown): string {
  if (typeof seconds !== 'number') return '';
  return seconds === 0 ? 'never expires' : `for ${describeDuration(seconds) || `${seconds} s`}`;
}

function numberFact(label: string, value: unknown): string {
  return typeof value === 'number' ? `${label} ${value}` : '';
}

function listFact(label: string, list: unknown): string {
  if (!Array.isArray(list) || list.length === 0) return '';
  const rest = list.length > MOST ? ` and ${list.length - MOST} more` : '';
  return `${label} ${list.slice(0, MOST).map(String).join(', ')}${rest}`;
}

// Of something new only its policies are told: the form sent all fields.
function changedFact(detail: Detail, changed: Detail, fieldName: (field: string) => string): string {
  if (detail['change'] === 'created') return listFact('policies', policiesOf(changed));
  const fields = Object.keys(changed).filter(isTold(changed)).map(fieldName);
  return listFact('changed:', [...new Set(fields)]);
}

function policiesOf({ token_policies: ofRole, policies: ofTeam }: Detail): unknown {
  const change = ofRole ?? ofTeam;
  return isObject(change) ? change['new'] : undefined;
}

// The sentence tells that syncing was paused or resumed.
const IN_SENTENCE = 'disabled';

// A form sends fields that stay empty, too; what had no value and has none was not changed.
function isTold(changed: Detail): (name: string) => boolean {
  return (name) => {
    const change = changed[name];
    if (name === IN_SENTENCE) return false;
    if (!isObject(change) || !('old' in change) || !('new' in change)) return true;
    return !(isEmpty(change['old']) && isEmpty(change['new']));
  };
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || value === false || (Array.isArray(value) && value.length === 0);
}

function isObject(value: unknown): value is Detail {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
