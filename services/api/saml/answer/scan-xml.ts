import { LIMITS, requireWithin } from '../../limits.ts';
import { refuseLogin } from '../refuse-login.ts';

// What stands between two angle brackets is read in one pass: no two neighbours of these patterns match the same letter,
// so nothing is tried twice.
const DECLARATION = /^\uFEFF?[ \t\r\n]*<\?xml[^<>]*\?>/;
const NAME = /[^\s<>/="'&!?]+/y;
const ATTRIBUTE = /\s+([^\s<>/="'&]+)\s*=\s*(?:"[^"<]*"|'[^'<]*')/y;
const END_OF_START = /\s*(\/?)>/y;
const END_OF_END = /\s*>/y;
const CDATA = '<![CDATA[';

/**
 * Reads an XML text once, before any parser does, because a parser's time can grow with the square of what it is given.
 * Throws 400 or 413 above a limit, and 401 if the text is not well formed, or holds comments, declarations or processing
 * instructions: a signature does not cover comments, so with a comment in a name, a reader could take a part of the name
 * for all of it, and a document type could define entities.
 */
export function scanXml(xml: string): void {
  requireWithin(LIMITS.xmlBytes, Buffer.byteLength(xml));
  const counts = { elements: 0, attributes: 0, namespaces: 0 };
  const open: { name: string; namespaces: number }[] = [];
  let position = DECLARATION.exec(xml)?.[0].length ?? 0;
  while ((position = xml.indexOf('<', position)) !== -1) {
    if (xml.startsWith(CDATA, position)) {
      position = after(xml.indexOf(']]>', position), 3);
      requireWithin(LIMITS.xmlElements, (counts.elements += 1));
      continue;
    }
    const letter = xml[position + 1];
    if (letter === '!' || letter === '?')
      refuseLogin('it contains comments, declarations or processing instructions');
    if (letter === '/') {
      const name = match(NAME, xml, position + 2);
      const element = open.pop();
      if (element?.name !== name[0]) return malformed();
      counts.namespaces -= element.namespaces;
      match(END_OF_END, xml, NAME.lastIndex);
      position = END_OF_END.lastIndex;
      continue;
    }
    const tag = readTag(xml, position + 1);
    // A second element beside the outermost one.
    if (open.length === 0 && counts.elements > 0) return malformed();
    requireWithin(LIMITS.xmlElements, (counts.elements += 1));
    requireWithin(LIMITS.xmlAttributes, (counts.attributes += tag.attributes));
    requireWithin(LIMITS.xmlDepth, open.length + 1);
    requireWithin(LIMITS.xmlNamespaces, counts.namespaces + tag.namespaces);
    if (!tag.isEmpty) {
      open.push(tag);
      counts.namespaces += tag.namespaces;
    }
    position = tag.end;
  }
  if (open.length > 0 || counts.elements === 0) malformed();
}

type Tag = { name: string; attributes: number; namespaces: number; isEmpty: boolean; end: number };

function readTag(xml: string, position: number): Tag {
  const tag = { name: match(NAME, xml, position)[0], attributes: 0, namespaces: 0 };
  let end = NAME.lastIndex;
  for (let found = find(ATTRIBUTE, xml, end); found; found = find(ATTRIBUTE, xml, end)) {
    end = ATTRIBUTE.lastIndex;
    requireWithin(LIMITS.xmlElementAttributes, (tag.attributes += 1));
    requireWithin(LIMITS.xmlAttributeLetters, found[0].length);
    if (!/^xmlns(?::|$)/.test(found[1] ?? '')) continue;
    requireWithin(LIMITS.xmlNamespaces, (tag.namespaces += 1));
    requireWithin(LIMITS.xmlNamespaceLetters, found[0].length);
  }
  const isEmpty = match(END_OF_START, xml, end)[1] === '/';
  return { ...tag, isEmpty, end: END_OF_START.lastIndex };
}

function match(expression: RegExp, xml: string, position: number): RegExpExecArray {
  return find(expression, xml, position) ?? malformed();
}

function find(expression: RegExp, xml: string, position: number): RegExpExecArray | null {
  expression.lastIndex = position;
  return expression.exec(xml);
}

function after(index: number, length: number): number {
  return index === -1 ? malformed() : index + length;
}

function malformed(): never {
  return refuseLogin('it is not well formed');
}
