import { LIMITS, type Limit } from '../../../services/api/limits.ts';
import type { Certificate } from './certificates.ts';
import { createResponseXml } from './identity-provider.ts';

const many = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join('');

const names = (count: number): string => many(count, (index) => ` a${index}=""`);
const namespaces = (count: number): string => many(count, (index) => ` xmlns:p${index}="u"`);
const nested = (count: number, inner = ''): string => `${'<a>'.repeat(count)}${inner}${'</a>'.repeat(count)}`;

/** Answers that exceed a limit, and how much of it they have. */
export const BEYOND_LIMITS: [what: string, limit: Limit, given: number, xml: string][] = [
  ['12,000 elements that never end', LIMITS.xmlDepth, 33, '<a>'.repeat(12_000)],
  ['600 kB of elements that never end', LIMITS.xmlBytes, 600_000, '<ab>'.repeat(150_000)],
  [
    'nested declarations of namespaces',
    LIMITS.xmlDepth,
    33,
    `${many(8000, (index) => `<a xmlns:p${index}="urn:some:name">`)}${'</a>'.repeat(8000)}`,
  ],
  ['deep nesting', LIMITS.xmlDepth, 33, nested(33)],
  ['many elements', LIMITS.xmlElements, 2001, `<a>${'<a/>'.repeat(2000)}</a>`],
  ['many CDATA sections', LIMITS.xmlElements, 2001, `<a>${'<![CDATA[]]>'.repeat(2000)}</a>`],
  ['many attributes of one element', LIMITS.xmlElementAttributes, 33, `<a${names(33)}/>`],
  ['many attributes in all', LIMITS.xmlAttributes, 8001, `<a b="">${`<a${names(32)}/>`.repeat(250)}</a>`],
  ['a long attribute', LIMITS.xmlAttributeLetters, 2049, `<a b="${'c'.repeat(2044)}"/>`],
  ['a long namespace', LIMITS.xmlNamespaceLetters, 257, `<a xmlns="${'c'.repeat(248)}"/>`],
  [
    'many namespaces in force',
    LIMITS.xmlNamespaces,
    65,
    `<a${namespaces(32)}><a${namespaces(32)}><a xmlns="u"/></a></a>`,
  ],
];

/** Answers whose end the scan finds in one pass, although they are not well formed. */
export const MALFORMED: [what: string, xml: string][] = [
  ['a text', 'text'],
  ['an element that does not end', '<a><b></a>'],
  ['an element in another case', '<a></A>'],
  ['two outermost elements', '<a/><b/>'],
  ['a tag that does not end', `<a${' '.repeat(500_000)}`],
  ['an attribute without a value', `<a b${' '.repeat(500_000)}/>`],
  ['quotes that do not end', `<a>${'<a b="'.repeat(80_000)}`],
  ['attributes without space between them', '<a b=""c=""/>'],
  ['CDATA that does not end', `<a>${'<![CDATA['.repeat(50_000)}`],
  ['nothing but brackets', '<'.repeat(500_000)],
];

/** Answers at the limits, each as costly for parsers and signatures as the limits allow. */
export function costliestAnswers(certificate: Certificate): [what: string, xml: string][] {
  const signed = createResponseXml(certificate);
  const beside = (inner: string): string =>
    signed.replace('<samlp:Status>', `<samlp:Extensions>${inner}</samlp:Extensions><samlp:Status>`);
  const within = (inner: string): string =>
    createResponseXml(certificate, {
      prepare: (assertion) => assertion.replace('<saml:Conditions', `${inner}<saml:Conditions`),
    });
  const info = (inner: string): string => signed.replace('</SignedInfo>', `${inner}</SignedInfo>`);
  const scope = many(28, (index) => `<a xmlns:p${index}="u" xmlns:q${index}="u">`);
  const wide = many(30, (index) => ` xmlns:p${index}="${index}${'u'.repeat(230)}"`);
  const used = many(30, (index) => ` p${index}:b=""`);
  const text = 'x'.repeat(500_000);
  return [
    ['elements side by side', beside('<a/>'.repeat(1950))],
    ['elements and texts', beside('<a/>x'.repeat(1950))],
    ['elements with attributes', beside('<a b="" c="" d="" e=""/>'.repeat(1950))],
    ['namespaces of each element', within('<p:a xmlns:p="x" xmlns:q="x" xmlns:r="y"/>'.repeat(1950))],
    [
      'namespaces around each element',
      within(`${scope}${'<a xmlns:q="x"/>'.repeat(1900)}${'</a>'.repeat(28)}`),
    ],
    ['long namespaces of attributes', within(`<a${wide}>${`<p1:b${used}/>`.repeat(255)}</a>`)],
    ['references', info('<Reference URI="#x"/>'.repeat(1900))],
    ['information of signatures', beside('<SignedInfo/>'.repeat(1900))],
    ['signatures', within('<Signature xmlns="http://www.w3.org/2000/09/xmldsig#"/>'.repeat(1900))],
    ['a long text', beside(text)],
    ['a long CDATA section', beside(`<![CDATA[${']]'.repeat(250_000)}]]>`)],
    ['entities', beside('&amp;'.repeat(100_000))],
    ['unknown entities', beside('&foo;'.repeat(100_000))],
    ['line ends', beside('\r\n'.repeat(250_000))],
    ['a long name', beside(`<${text}/>`)],
    ['space in a tag', beside(`<a${' '.repeat(500_000)}/>`)],
    ['assertions', signed.replace('</samlp:Response>', `${'<Assertion/>'.repeat(1900)}</samlp:Response>`)],
  ];
}
