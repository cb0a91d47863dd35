import { counted } from '../collections/counted.ts';
import { describeDuration } from './duration.ts';

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

/** What the detail of an entry adds to its sentence: versions, keys, policies, what was changed. */
export function factsOf(detail: Detail | null): string[] {
  if (!detail) return [];
  const { changed, kind, count } = detail;
  return [
    detail['change'] === 'none' ? 'nothing changed' : '',
    numberFact('version', detail['version']),
    versionsFact(detail['versions']),
    numberFact('from version', detail['from']),
    listFact('keys', detail['keys']),
    listFact('policies', detail['policies']),
    askedFact(detail['asked']),
    lifetimeFact(detail['ttl_seconds']),
    rulesFact(detail),
    ...decisionFacts(detail),
    isObject(changed) && !('added' in detail) && detail['change'] !== 'created'
      ? listFact('changed:', Object.keys(changed).filter(isTold(changed)).map(wordsOf))
      : '',
    isObject(detail['custom_metadata'])
      ? listFact('custom metadata:', Object.keys(detail['custom_metadata']))
      : '',
    typeof detail['reason'] === 'string' ? `“${detail['reason']}”` : '',
    typeof detail['refusal'] === 'string' ? detail['refusal'] : '',
    typeof kind === 'string' ? (REFUSALS[kind] ?? '') : '',
    typeof count === 'number' && count > 1 ? counted(count, 'time') : '',
  ].filter(Boolean);
}

function versionsFact(list: unknown): string {
  return listFact(Array.isArray(list) && list.length === 1 ? 'version' : 'versions', list);
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
  return `for ${describeDuration(seconds) || `${seconds} s`}`;
}

function numberFact(label: string, value: unknown): string {
  return typeof value === 'number' ? `${label} ${value}` : '';
}

function listFact(label: string, list: unknown): string {
  if (!Array.isArray(list) || list.length === 0) return '';
  const rest = list.length > MOST ? ` and ${list.length - MOST} more` : '';
  return `${label} ${list.slice(0, MOST).map(String).join(', ')}${rest}`;
}

// A form sends fields that stay empty, too; what had no value and has none was not changed.
function isTold(changed: Detail): (name: string) => boolean {
  return (name) => {
    const change = changed[name];
    if (!isObject(change) || !('old' in change) || !('new' in change)) return true;
    return !(isEmpty(change['old']) && isEmpty(change['new']));
  };
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || value === false || (Array.isArray(value) && value.length === 0);
}

const WORDS: Record<string, string> = {
  cas_required: 'check-and-set',
  max_versions: 'maximum versions',
  delete_version_after_seconds: 'delete versions after',
};

// The fields of the API, as a person reads them.
function wordsOf(field: string): string {
  return WORDS[field] ?? field.replaceAll(/[_-]/g, ' ');
}

function isObject(value: unknown): value is Detail {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
