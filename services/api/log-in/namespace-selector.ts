import { badRequest, type RequestError } from '../../../libs/errors/request-error.ts';
import { isJsonObject } from '../../../libs/validation/lossless.ts';
import { parseJson } from '../../../libs/validation/parse-json.ts';

/** The field of a role that selects namespaces. */
export const NAMESPACE_SELECTOR = 'bound_service_account_namespace_selector';

// Longer YAML could take long to read.
const LONGEST = 5000;
const LONGEST_PREFIX = 253;
const NAME = /^[A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?$/;
const PREFIX = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;

/** The text of a selector that a client sent as one, or as an object. Throws 400. */
export async function namespaceSelectorOf(sent: unknown): Promise<string | undefined> {
  if (sent === undefined) return undefined;
  if (sent === null || (typeof sent === 'string' && sent.trim() === '')) return '';
  const text = typeof sent === 'string' ? sent : JSON.stringify(sent);
  await selectedLabels(text);
  return text;
}

/** The labels with values that namespaces must have: the `matchLabels` of a LabelSelector in JSON or YAML. Throws 400. */
export async function selectedLabels(text: string): Promise<Record<string, string>> {
  if (text.length > LONGEST) throw invalid(`use at most ${LONGEST} characters`);
  const { matchLabels, ...others } = await parseSelector(text);
  if (others['matchExpressions'] !== undefined)
    throw invalid('label selector match expressions are not supported: use matchLabels');
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw invalid(`it has matchLabels only, and not ${shown(unknown)}`);
  if (!isJsonObject(matchLabels))
    throw invalid('its matchLabels must be an object of labels with their values');
  const labels = Object.entries(matchLabels);
  if (labels.length === 0)
    throw invalid('name a label in matchLabels. For any namespace, write bound_service_account_namespaces=*');
  for (const [key, value] of labels) checkLabel(key, value);
  return matchLabels as Record<string, string>;
}

async function parseSelector(text: string): Promise<Record<string, unknown>> {
  const found = await parseText(text).catch(() => undefined);
  if (!isJsonObject(found))
    throw invalid('it must be an object in JSON or YAML, such as {"matchLabels": {"team": "shop"}}');
  return found;
}

// Most clients send JSON, for which YAML need not be loaded.
async function parseText(text: string): Promise<unknown> {
  if (text.trimStart().startsWith('{')) {
    try {
      return parseJson(text);
    } catch {
      // A flow mapping of YAML looks like JSON.
    }
  }
  const { parse } = await import('yaml');
  return parse(text, { maxAliasCount: 0, logLevel: 'error' });
}

function checkLabel(key: string, value: unknown): void {
  const slash = key.indexOf('/');
  const prefix = key.slice(0, Math.max(slash, 0));
  const isKey =
    NAME.test(key.slice(slash + 1)) &&
    (slash === -1 || (prefix.length <= LONGEST_PREFIX && PREFIX.test(prefix)));
  if (!isKey) throw invalid(`${shown(key)} is no key of a label`);
  if (typeof value !== 'string') throw invalid(`the value of ${shown(key)} must be a text, in quotes`);
  if (value !== '' && !NAME.test(value)) throw invalid(`the value of ${shown(key)} is no value of a label`);
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, 100));
}

function invalid(fault: string): RequestError {
  return badRequest(`${NAMESPACE_SELECTOR}: ${fault}`);
}
