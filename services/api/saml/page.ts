import { createHash } from 'node:crypto';
import type { ErrorCode } from '../../../libs/errors/codes.ts';
import { PAGE_STYLE } from './page-style.ts';
import type { Reported } from './refuse-login.ts';
import { supportAddressOf, type CustomizationSettings } from '../../../libs/settings/customization.ts';

const STYLE_HASH = createHash('sha256').update(PAGE_STYLE).digest('base64');

/** A page with a token runs no script, is shown in no frame and sends no referrer. */
export const PAGE_HEADERS = {
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
};

const NOBODY_SIGNED_IN = 'This was a test: nobody was signed in, and your session in Sealift is as it was.';
const TO_SIGN_IN = '<p><a href="/ui/">Back to the sign-in page</a></p>';
const CLOSE_WINDOW = 'Close this window to go back to Sealift.';
const ASK_FOR_TEST =
  'If this goes on, tell the people who look after Sealift: “Test sign-in” in its SAML settings says what to change.';
const REFUSED_THERE =
  'Your identity provider refused the sign-in. Often you are not assigned to this application there: ask whoever manages your identity provider.';
const REPORTED = 'What the identity provider says (not signed, so anybody may have written it)';

const FORMER_ONLY =
  'Only the former IdP certificate matches. Once you revoke it, nobody can sign in: switch the identity provider to the present certificate first, or enter the one that it signs with now.';

// Refusals that depend on the moment alone. Those of them that come first know nothing of what was sent.
const LATER: Partial<Record<ErrorCode, string>> = {
  rate_limited:
    'This sign-in was refused because there are too many at once, and not because of what is in it. Try again in a moment.',
  unavailable: 'Sealift cannot deal with this sign-in now, whatever is in it. Try again in a moment.',
};

/** A browser accepts text/html; any other client is a program. */
export function wantsPage(accept: string): boolean {
  return /\btext\/html\b/i.test(accept);
}

/** The end of a login in a browser: a page that shows the token once. No address ever contains any of it. */
export function loginPage(
  token: string,
  shown: Record<string, unknown>,
  { texts, isNew }: { texts: CustomizationSettings; isNew: boolean },
): string {
  return page('Logged in', texts, [
    '<p>This is your session token. Copy it now: it is not shown again.</p>',
    `<p><code id="token">${escapeHtml(token)}</code></p>`,
    listOf(shown),
    isNew ? paragraph(texts['new-user']) : '',
  ]);
}

/**
 * The end of a test. `fault`: why the person could not sign in, `advice`: what to do about it; `isFormer`: only the old certificate matches; `attributes`: what
 * the identity provider says of them.
 */
export function testPage(
  {
    fault,
    advice,
    isFormer,
    rows,
    attributes,
  }: {
    fault?: string;
    advice?: string;
    isFormer: boolean;
    rows: Record<string, string>;
    attributes: Record<string, string>;
  },
  texts: CustomizationSettings,
): string {
  return page(fault === undefined ? 'Sign-in works' : 'Sign-in fails', texts, [
    paragraph(fault && asSentence(fault)),
    paragraph(advice),
    isFormer ? paragraph(FORMER_ONLY) : '',
    paragraph(NOBODY_SIGNED_IN),
    listOf(rows),
    '<h2>Attributes that the identity provider sent</h2>',
    Object.keys(attributes).length === 0 ? paragraph('None.') : listOf(attributes),
    paragraph(CLOSE_WINDOW),
  ]);
}

/** What a browser shows if a login ended in an error. Anybody may read `reasons`. */
export function refusalPage(
  reasons: string[],
  {
    texts,
    isTest,
    hasConsole,
    code,
    advice,
    reported,
    isMismatch,
    isUnexpected,
    requestId,
  }: {
    texts: CustomizationSettings;
    isTest: boolean;
    hasConsole: boolean;
    code: ErrorCode | undefined;
    /** What an administrator can do; empty: nothing is known. */
    advice: string;
    reported: Reported | undefined;
    /** The identity provider's answer does not fit the settings. */
    isMismatch: boolean;
    isUnexpected: boolean;
    requestId: string;
  },
): string {
  const later = code && LATER[code];
  const title = isTest ? 'Sign-in fails' : 'Not logged in';
  return page(later ? 'Try again in a moment' : title, texts, [
    paragraph(later),
    ...(reported ? toldThere(reported, isTest ? advice : REFUSED_THERE) : toldHere(reasons)),
    isTest && !reported ? paragraph(advice) : '',
    isMismatch && !isTest && !reported ? paragraph(ASK_FOR_TEST) : '',
    ...(isTest ? [NOBODY_SIGNED_IN, CLOSE_WINDOW].map(paragraph) : []),
    isUnexpected ? paragraph(texts.error) : '',
    hasConsole && !isTest ? TO_SIGN_IN : '',
    paragraph(`Request ${requestId}`),
  ]);
}

function toldHere(reasons: string[]): string[] {
  return (reasons.length > 0 ? reasons : ['There is no such page.']).map((reason) =>
    paragraph(asSentence(reason)),
  );
}

function toldThere(reported: Reported, cure: string): string[] {
  return [
    paragraph(cure),
    `<details><summary>Details</summary>${paragraph(`${REPORTED}:`)}${listOf(rowsOf(reported))}</details>`,
  ];
}

function rowsOf({ codes, message }: Reported): Record<string, string> {
  return { 'Status code': codes.join('\n'), ...(message === '' ? {} : { 'Status message': message }) };
}

function page(title: string, texts: CustomizationSettings, parts: string[]): string {
  const support = supportAddressOf(texts);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Sealift: ${title.toLowerCase()}</title><style>${PAGE_STYLE}</style></head>
<body><main><h1>${title}</h1>
${[...parts, paragraph(texts['login-help']), paragraph(support && `Support: ${support}`)].filter(Boolean).join('\n')}
<footer>${paragraph(texts.footer)}</footer>
</main></body></html>
`;
}

function asSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}

function listOf(shown: Record<string, unknown>): string {
  const rows = Object.entries(shown).map(
    ([name, value]) =>
      `<dt>${escapeHtml(name)}</dt><dd><pre>${escapeHtml(typeof value === 'string' ? value : JSON.stringify(value, null, 2))}</pre></dd>`,
  );
  return `<dl>${rows.join('')}</dl>`;
}

function paragraph(text = ''): string {
  return text === '' ? '' : `<p>${escapeHtml(text).replace(/\r?\n/g, '<br>')}</p>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
