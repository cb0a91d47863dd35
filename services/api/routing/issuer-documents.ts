const DOCUMENT = /^(?:(.+)\/)?(identity\/oidc\/secrets-sync\/\.well-known\/[^/]+)$/;

/**
 * The namespace and the rest of a path that names a document of an issuer of identity tokens. Stores fetch them without a
 * token, so nobody looks up whether the namespace exists. Undefined for any other path.
 */
export function issuerDocumentOf(path: string): { namespace: string; rest: string } | undefined {
  const [, namespace = '', rest] = DOCUMENT.exec(path) ?? [];
  return rest === undefined ? undefined : { namespace, rest };
}
