import { factsOf } from './facts.ts';
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
  overwrite: 'Overwrote',
  read: 'Read',
  reset: 'Reset',
  retry: 'Retried',
  rewrap: 'Rewrapped',
  run: 'Ran',
  send: 'Sent',
  set: 'Set',
  trim: 'Trimmed',
  unwrap: 'Unwrapped',
  verify: 'Verified',
  wrap: 'Wrapped',
  write: 'Wrote',
};

const CHANGES: Record<string, string> = { created: 'Created', updated: 'Changed' };

const FALLBACKS: Record<string, string> = {
  GET: 'read :path',
  HEAD: 'read :path',
  LIST: 'list :path',
  DELETE: 'delete :path',
};

/** An entry as a sentence, such as "Rolled back secret/app/db". What did not succeed was only tried. */
export function sentenceParts(event: ToldEvent): SentencePart[] {
  if (event.action === 'many') return [{ text: 'Sent too many requests to tell one by one' }];
  const phrase = phraseOf(event);
  const [verb = '', ...rest] = phrase.split(' ');
  const words = [beginningOf(event, verb), ...rest].join(' ');
  const params = paramsOf(event);
  return words
    .split(/(:[a-zA-Z]+)/)
    .filter((word) => word !== '')
    .map((word) => (word.startsWith(':') ? named(word.slice(1), event, params) : { text: word }));
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
export function toldText(event: ToldEvent, nameOf: (type: string, name: string) => string): string {
  const facts = factsOf(event.detail);
  return sentenceText(event, nameOf) + (facts.length > 0 ? ` (${facts.join('; ')})` : '');
}

function phraseOf({ action, detail }: ToldEvent): string {
  const known =
    (action.endsWith('/associations/set') ? decisionPhrase(detail) : undefined) ?? PHRASES[action];
  if (known !== undefined) return known;
  const [method = '', route] = action.split(' ');
  if (route?.startsWith('/')) return FALLBACKS[method] ?? 'write :path';
  return /^(?:command|job) /.test(action) ? `run the ${action}` : `run the job ${action}`;
}

// One request links a secret, and decides about the entry of a link.
function decisionPhrase(detail: Record<string, unknown> | null): string | undefined {
  const { link, conflict_policy: policy, secret_name_template: template } = detail ?? {};
  if (link === 'created') return undefined;
  if (policy === 'adopt') return 'adopt the entry of :secret in :destination';
  if (policy === 'overwrite') return 'overwrite the entry of :secret in :destination';
  if (template === '') return 'reset the name of :secret in :destination';
  return typeof template === 'string' ? 'rename :secret in :destination to :template' : undefined;
}

function beginningOf({ outcome, detail }: ToldEvent, verb: string): string {
  if (outcome === 'attempted') return `Began to ${verb}`;
  if (outcome !== 'succeeded') return `Tried to ${verb}`;
  const change = verb === 'write' ? CHANGES[String(detail?.['change'])] : undefined;
  return change ?? PASTS[verb] ?? pastOf(verb);
}

function pastOf(verb: string): string {
  return verb.charAt(0).toUpperCase() + verb.slice(1) + (verb.endsWith('e') ? 'd' : 'ed');
}

// Of an entry whose path was cut, the whole path is told.
function paramsOf({ action, path }: ToldEvent): Record<string, string> {
  if (!action.includes(' /')) return {};
  const route = action.slice(action.indexOf('/') + 1);
  const pattern = route
    .replaceAll(/[.{}]/g, '')
    .replaceAll(/:mount/g, '(?<mount>.+?)')
    .replaceAll(/:([a-zA-Z]+)/g, '(?<$1>[^/]+)')
    .replaceAll(/\*([a-zA-Z]+)/g, '(?<$1>.+)');
  return new RegExp(`^${pattern}$`, 's').exec(path)?.groups ?? {};
}

function named(name: string, event: ToldEvent, params: Record<string, string>): SentencePart {
  if (name === 'secret') return { name, value: event.secret ?? secretOf(event, params) };
  if (name === 'destination') return destinationOf(event.path);
  if (name === 'token') return tokenOf(event.detail);
  if (name === 'method') return { text: methodOf(event) };
  if (name === 'template') return { text: String(event.detail?.['secret_name_template']) };
  return { name: 'path', value: params[name] ?? event.path };
}

function methodOf({ detail, path }: ToldEvent): string {
  const mount = detail?.['mount'];
  return typeof mount === 'string' ? `${mount}/` : path;
}

function secretOf({ path, detail }: ToldEvent, { mount, path: rest }: Record<string, string>): string {
  const name = detail?.['secret'];
  if (typeof name === 'string') return name;
  return mount !== undefined && rest !== undefined ? `${mount}/${rest}` : (rest ?? path);
}

function destinationOf(path: string): SentencePart {
  const [, type, name] = /^sys\/sync\/destinations\/([^/]+)\/([^/]+)/.exec(path) ?? [];
  if (type === undefined || name === undefined) return { name: 'path', value: path };
  return { name: 'destination', type, value: name };
}

// The entry of a refused request names no token: there is none.
function tokenOf(detail: Record<string, unknown> | null): SentencePart {
  const attempt = detail?.['asked'] as Record<string, unknown> | undefined;
  const accessor = detail?.['accessor'];
  const name = detail?.['display_name'] ?? attempt?.['display_name'] ?? accessor;
  if (typeof name !== 'string' || name === '') return { text: '' };
  return { name: 'token', value: name, accessor: typeof accessor === 'string' ? accessor : null };
}
