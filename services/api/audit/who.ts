import type { AuditWho } from '../../../libs/store/audit/events.ts';
import { isOfPerson } from '../../../libs/store/access/tokens.ts';
import type { Caller } from '../access/caller.ts';

/** Who a caller with a token is. */
export function whoIs({ token, session }: Caller): Required<AuditWho> {
  const isPerson = isOfPerson(token);
  return {
    accessor: token.accessor,
    actor: token.display_name,
    username: token.username,
    authMethod: session ? (isPerson ? 'saml-session' : 'session') : isPerson ? 'saml' : 'token',
    policies: token.policies,
  };
}
