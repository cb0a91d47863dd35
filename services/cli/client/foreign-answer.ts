import { CommandError } from '../exit-codes.ts';
import type { ClientSettings } from './settings.ts';

type Fields = Record<string, unknown>;

// Proxies between answer with other statuses of their own, which no command takes for an answer.
const JUDGED = new Set([401, 403, 404, 405]);

const EXAMPLE = 'https://sealift.example.com';

/**
 * Throws CommandError 78 for an answer that is not the API's own: that of a web page, of another service, or of a path
 * that the API does not have. It must not count as "there is nothing".
 */
export function refuseForeign(
  { url }: ClientSettings,
  { status, text, answer }: { status: number; text: string; answer: Fields },
): void {
  if (status >= 300 && status < 400) throw foreign(url, 'answers with a redirect');
  const isDone = status >= 200 && status < 300;
  if (!isDone && !JUDGED.has(status)) return;
  const isOwn = isDone ? status === 204 || isEnvelope(answer) : isRefusal(answer) || isEnvelope(answer);
  if (!isOwn) throw foreign(url, text.trimStart().startsWith('<') ? 'answers with a web page' : undefined);
  const isUnknownPath = status === 404 && String(answer['errors']) === 'unsupported path';
  if (isUnknownPath)
    throw foreign(url, 'answers "unsupported path"', 'or the service is older than this command');
  // The API does not tell a path that it lacks from a missing right.
  if ((status === 401 || status === 403) && new URL(url).pathname !== '/') {
    const said = String(answer['errors']);
    throw new CommandError(
      'denied',
      `${said}; if the token is right, SEALIFT_URL is not: it is ${url}, with a path`,
    );
  }
}

function isEnvelope(answer: Fields): boolean {
  return typeof answer['request_id'] === 'string';
}

// Refusals of the administration have objects, and no command calls it.
function isRefusal({ errors }: Fields): boolean {
  return Array.isArray(errors) && errors.every((one) => typeof one === 'string');
}

function foreign(url: string, answers = 'answers otherwise than Sealift does', also?: string): CommandError {
  const advice = `set it to the address of the API without a path, such as ${EXAMPLE}`;
  return new CommandError(
    'configuration',
    `SEALIFT_URL is ${url}, which ${answers}: ${advice}${also === undefined ? '' : `, ${also}`}`,
  );
}
