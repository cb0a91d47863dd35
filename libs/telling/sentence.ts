import { actorText } from './actor.ts';
import { factsOf } from './facts.ts';
import { failedTest } from './failed-test.ts';
import { linkPhrase } from './link-phrase.ts';
import { fieldNamer, type FormFields } from './field-names.ts';
import { endOf } from './outcome.ts';
import { PHRASES } from './phrases.ts';

/** What a sentence needs of an entry of the audit trail. */
export type ToldEvent = {
  action: string;
  path: string;
  /** Mount and path. */
  secret?: string | null;
  outcome: string;
  detail: Record<string, unknown> | null;
};

/** A part of a sentence: a text, or something that is named. `secret`, `token` and `path` say what `value` is. */
export type SentencePart =
  | { text: string }
  | { name: 'secret' | 'path'; value: string }
  | { name: 'token'; value: string; accessor: string | null }
  | { name: 'destination'; type: string; value: string };

const PASTS: Record<string, string> = {
  log: 'Logged',
  read: 'Read',
  reset: 'Reset',
  rewrap: 'Rewrapped',
  run: 'Ran',
  send: 'Sent',
  set: 'Set',
  trim: 'Trimmed',
  try: 'Tried',
  unwrap: 'Unwrapped',
  verify: 'Verified',
  withdraw: 'Withdrew',
  wrap: 'Wrapped',
  write: 'Wrote',
};

const CHANGES: Record<string, string> = { created: 'Created', updated: 'Changed' };

const FALLBACKS: Record<string, string> = {
  GET: 'read :path',
  HEAD: 'read :path',
  OPTIONS: 'read :path',
  LIST: 'list :path',
  POST: 'write :path',
  PUT: 'write :path',
  PATCH: 'change :path',
  DELETE: 'delete :path',
};

/** An entry as a sentence, such as "Rolled back secret/app/db". What did not succeed was only tried. */
export function sentenceParts(given: ToldEvent): SentencePart[] {
  const event = { ...given, outcome: endOf(given.outcome, given.detail) };
  if (event.action === 'many') return [{ text: 'Sent too many requests to tell one by one' }];
  const names = namesIn(event);
  const [verb = '', ...rest] = withoutUnknown(phraseOf(event), names).split(' ');
  const words = [beginningOf(event, verb), ...rest].join(' ');
  const parts = words
    .split(/(:[a-zA-Z]+)/)
    .filter((word) => word !== '')
    .map((word) => (word.startsWith(':') && names(word.slice(1))) || { text: word });
  const failure = failedTest(event.detail);
  return failure === undefined ? parts : [...parts, { text: `: ${failure}` }];
}

/** The sentence without its links. `nameOf` names a destination by its type and name. */
export function sentenceText(
  event: ToldEvent,
  nameOf: (type: string, name: string) => string = (_, name) => name,
): string {
  return sentenceParts(event)
    .map((part) => {
      if ('text' in part) return part.text;
      return part.name === 'destination' ? nameOf(part.type, part.value) : part.value;
    })
    .join('');
}

/** The same with what the detail of the entry adds, as a page shows it. */
export function toldText(
  event: ToldEvent,
  nameOf: (type: string, name: string) => string,
  forms?: FormFields,
): string {
  const facts = factsOf(event.detail, fieldNamer(event, forms));
  return sentenceText(event, nameOf) + (facts.length > 0 ? ` (${facts.join('; ')})` : '');
}

function phraseOf(event: ToldEvent): string {
  const { action, detail, outcome } = event;
  const wanted = decisionPhrase(event) ?? PHRASES[action];
  // All else was begun or tried, and not asked for.
  const known = outcome === 'succeeded' ? wanted : wanted?.replace(/^ask to /, '');
  if (known !== undefined)
    return isOneVersion(detail) ? known.replace(' versions of', ' a version of') : known;
  const [method = '', route] = action.split(' ');
  // A refused request that reached no route has its method alone.
  const fallback = FALLBACKS[method];
  if (route === undefined ? fallback : route.startsWith('/')) return fallback ?? 'write :path';
  return /^(?:command|job) /.test(action) ? `run the ${action}` : `run the job ${action}`;
}

function isOneVersion(detail: ToldEvent['detail']): boolean {
  const versions = detail?.['versions'];
  return Array.isArray(versions) && versions.length === 1;
}

// One request can mean several things.
function decisionPhrase({ action, secret, detail, outcome }: ToldEvent): string | undefined {
  if (/^link$|\/associations\/set(?:-many)?$/.test(action)) return linkPhrase({ secret, ...detail }, outcome);
  if (action.endsWith('/associations/remove-many'))
    return typeof detail?.['secret'] === 'string' ? PHRASES['unlink'] : undefined;
  if (action.endsWith('/associations/retry'))
    return (detail?.['filter'] as Record<string, unknown> | undefined)?.['conflict_policy'] === 'overwrite'
      ? 'ask to retry links of :destination and overwrite their entries'
      : typeof detail?.['secret'] === 'string'
        ? PHRASES['retry']
        : undefined;
  if (action === 'DELETE /sys/sync/destinations/:type/:name')
    return detail?.['way'] === 'purge'
      ? 'ask to delete the destination :destination and its entries in the store'
      : undefined;
  if (action !== 'PATCH /sys/sync/config') return undefined;
  const { disabled } = (detail?.['changed'] ?? {}) as Record<string, { new: unknown } | undefined>;
  return disabled && (disabled.new === true ? 'pause syncing' : 'resume syncing');
}

function beginningOf({ outcome, detail }: ToldEvent, verb: string): string {
  if (outcome === 'attempted') return `Began to ${verb}`;
  if (outcome !== 'succeeded') return `Tried to ${verb}`;
  const change = verb === 'write' ? CHANGES[String(detail?.['change'])] : undefined;
  return change ?? pastOf(verb);
}

/** What was done, by its verb, at the beginning of a sentence. */
export function pastOf(verb: string): string {
  return PASTS[verb] ?? verb.charAt(0).toUpperCase() + verb.slice(1) + (verb.endsWith('e') ? 'd' : 'ed');
}

type Names = (name: string) => SentencePart | undefined;

// A path of which only the beginning was kept, or nothing.
const CUT = /(?:^|\/)…$/;

// What the entry does not name is told as one of its kind: "write the team :path" becomes "write a team".
function withoutUnknown(phrase: string, names: Names): string {
  return phrase
    .replaceAll(/\bthe ((?:(?!the )[a-zA-Z ])+) :([a-zA-Z]+)/g, (whole, kind: string, name: string) =>
      names(name) ? whole : indefinite(kind),
    )
    .replaceAll(/:([a-zA-Z]+)/g, (whole, name: string) =>
      names(name) ? whole : (KINDS[name] ?? 'something'),
    );
}

const KINDS: Record<string, string> = { secret: 'a secret', destination: 'a destination', token: 'a token' };

function indefinite(kind: string): string {
  return `${/^[aeiou]/i.test(kind) ? 'an' : 'a'} ${kind}`;
}

function namesIn(event: ToldEvent): Names {
  const params = paramsOf(event);
  return (name) => {
    if (name === 'secret') return pathPart('secret', event.secret ?? secretOf(event, params));
    if (name === 'destination') return destinationOf(event.path);
    if (name === 'token') return tokenOf(event.detail);
    if (name === 'method') return textPart(methodOf(event));
    if (name === 'template') return textPart(event.detail?.['secret_name_template']);
    return pathPart('path', isFallback(event) ? placeOf(event.path) : params[name]);
  };
}

function pathPart(name: 'secret' | 'path', value: string | undefined): SentencePart | undefined {
  return value === undefined ? undefined : { name, value };
}

function textPart(text: unknown): SentencePart | undefined {
  return typeof text === 'string' ? { text } : undefined;
}

function isFallback({ action }: ToldEvent): boolean {
  return PHRASES[action] === undefined;
}

function placeOf(path: string): string | undefined {
  return path === '…' ? undefined : path;
}

// A method can be at any path, whose first part the route has as the kind of the method.
const AUTH_METHOD = /^auth\/(?:approle|jwt|kubernetes)\/(?!login$)/;

function paramsOf({ action, path }: ToldEvent): Record<string, string> {
  if (!action.includes(' /') || CUT.test(path)) return {};
  const route = action.slice(action.indexOf('/') + 1);
  const pattern = route
    .replaceAll(/[.{}]/g, '')
    .replace(AUTH_METHOD, 'auth/(?<method>.+?)/')
    .replaceAll(/:mount/g, '(?<mount>.+?)')
    .replaceAll(/:([a-zA-Z]+)/g, '(?<$1>[^/]+)')
    .replaceAll(/\*([a-zA-Z]+)/g, '(?<$1>.+)');
  return new RegExp(`^${pattern}$`, 's').exec(path)?.groups ?? {};
}

function methodOf(event: ToldEvent): string | undefined {
  const mount = event.detail?.['mount'] ?? paramsOf(event)['method'];
  return typeof mount === 'string' ? `${mount}/` : undefined;
}

function secretOf({ detail }: ToldEvent, { mount, path: rest }: Record<string, string>): string | undefined {
  const name = detail?.['secret'];
  if (typeof name === 'string') return name;
  return mount !== undefined && rest !== undefined ? `${mount}/${rest}` : rest;
}

function destinationOf(path: string): SentencePart | undefined {
  const [, type, name] = /^sys\/sync\/destinations\/([^/]+)\/([^/]+)/.exec(path) ?? [];
  return type === undefined || name === undefined ? undefined : { name: 'destination', type, value: name };
}

// The entry of a refused request names no token: there is none.
function tokenOf(detail: Record<string, unknown> | null): SentencePart | undefined {
  const attempt = detail?.['asked'] as Record<string, unknown> | undefined;
  const accessor = detail?.['accessor'];
  const own = detail?.['display_name'];
  const name = typeof own === 'string' ? actorText(own) : (attempt?.['display_name'] ?? accessor);
  if (typeof name !== 'string' || name === '') return undefined;
  return { name: 'token', value: name, accessor: typeof accessor === 'string' ? accessor : null };
}
