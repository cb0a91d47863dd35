import { badRequest } from '../../../libs/errors/request-error.ts';
import { looksIssued } from '../../../libs/store/access/tokens.ts';

type Header = (name: string) => string;

/**
 * The token that a request presents; undefined if it presents none. Proxies with a sign-in of their own add an
 * `Authorization` that is not for us. Throws 400 for two different tokens of ours: which of them counts must not be a guess.
 */
export function presentedToken(header: Header): string | undefined {
  const authorization = bearer(header('authorization'));
  const vaultToken = header('x-vault-token') || undefined;
  if (authorization === undefined || vaultToken === undefined) return authorization ?? vaultToken;
  if (!looksIssued(authorization)) return vaultToken;
  if (authorization !== vaultToken && looksIssued(vaultToken))
    throw badRequest('Authorization and X-Vault-Token have different tokens: send only one of them');
  return authorization;
}

function bearer(header: string): string | undefined {
  return /^bearer +(\S+)$/i.exec(header)?.[1];
}

/** The path of the namespace that the headers name; empty: none, or the root namespace by no name. Throws 400 if they name two. */
export function presentedNamespace(header: Header): string {
  const [own = '', ofVault = ''] = ['x-namespace', 'x-vault-namespace'].map((name) =>
    header(name).split('/').filter(Boolean).join('/'),
  );
  if (own !== '' && ofVault !== '' && own !== ofVault)
    throw badRequest('X-Namespace and X-Vault-Namespace name different namespaces: send only one of them');
  return own || ofVault;
}
