import type { AuditWho } from '../../../libs/store/audit/events.ts';
import { isOfPerson } from '../../../libs/store/access/tokens.ts';
import type { Caller } from '../access/caller.ts';

/** Who a caller with a token is. */
export function whoIs({ token, session }: Pick<Caller, 'token' | 'session'>): Required<AuditWho> {
  const isPerson = isOfPerson(token);
  return {
    accessor: token.accessor,
    actor: token.display_name,
    username: token.username,
    authMethod: isWrapping(token)
      ? 'wrapping'
      : session
        ? isPerson
          ? 'saml-session'
          : 'session'
        : isPerson
          ? 'saml'
          : 'token',
    policies: token.policies,
  };
}

/** Whether a token only holds a wrapped answer. Tokens that somebody makes have names with a prefix. */
export function isWrapping({ display_name: name, policies }: Caller['token']): boolean {
  return name === 'response-wrapping' && policies.length === 0;
}
