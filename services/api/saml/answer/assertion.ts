/** An XML element as the SAML library returns it: `$` attributes, `_` text, children by name without prefix. */
type Element = Record<string, unknown>;

/**
 * A confirmation of the subject: by which method, at which address, in which time and for which request the assertion
 * may be presented.
 */
export type Confirmation = {
  method: string;
  recipient: string;
  notBefore: string | undefined;
  notOnOrAfter: string | undefined;
  inResponseTo: string | undefined;
};

/** The parts of a signed assertion that we use. The signature covered every value. */
export type Assertion = {
  id: string;
  confirmations: Confirmation[];
  /** Values by attribute name. If an attribute occurs several times, it has all their values. */
  attributes: Map<string, string[]>;
};

/** Reads the parsed XML of an assertion whose signature was verified. */
export function readAssertion(parsed: unknown): Assertion {
  const assertion = toElement(toElement(parsed)['Assertion']);
  const [subject] = children(assertion, 'Subject');
  const attributes = new Map<string, string[]>();
  for (const statement of children(assertion, 'AttributeStatement')) {
    for (const attribute of children(statement, 'Attribute')) {
      const name = property(attribute, 'Name') ?? '';
      const values = children(attribute, 'AttributeValue').map((value) => textOf(value).trim());
      attributes.set(name, [...(attributes.get(name) ?? []), ...values.filter(Boolean)]);
    }
  }
  return {
    id: property(assertion, 'ID') ?? '',
    confirmations: children(subject ?? {}, 'SubjectConfirmation').map(readConfirmation),
    attributes,
  };
}

function readConfirmation(confirmation: Element): Confirmation {
  const data = children(confirmation, 'SubjectConfirmationData')[0] ?? {};
  return {
    method: property(confirmation, 'Method') ?? '',
    recipient: property(data, 'Recipient') ?? '',
    notBefore: property(data, 'NotBefore'),
    notOnOrAfter: property(data, 'NotOnOrAfter'),
    inResponseTo: property(data, 'InResponseTo'),
  };
}

function children(element: Element, name: string): Element[] {
  const found = element[name];
  return Array.isArray(found) ? found.map(toElement) : [];
}

function property(element: Element, name: string): string | undefined {
  const value = toElement(element['$'])[name];
  return typeof value === 'string' ? value : undefined;
}

function textOf(element: Element): string {
  return typeof element['_'] === 'string' ? element['_'] : '';
}

function toElement(value: unknown): Element {
  return typeof value === 'object' && value !== null ? (value as Element) : {};
}
