import { useQuery } from '@tanstack/react-query';
import { actorText } from '../../../../../libs/telling/actor.ts';
import type { PolicyHoldersAnswer } from '../../../../api/contract/tokens.ts';
import { read } from '../../api/client.ts';
import kit from '../../kit/kit.module.css';
import { Loaded, Skeleton } from '../../kit/page.tsx';
import { useRights } from '../../kit/rights/allowed.ts';
import { counted } from '../../kit/text/counted.ts';
import { policyPath } from './queries.ts';

/** What people call the things that give their policies to new tokens. */
export const ROLE_KINDS = {
  token: 'Token role',
  approle: 'AppRole role',
  jwt: 'JWT role',
  kubernetes: 'Kubernetes role',
  team: 'Team',
} as const;

const MOST_NAMES = 10;

/** Who has a policy now, and gets it later. */
export function Holders({ name }: { name: string }) {
  const right = { path: `${policyPath(name)}/holders`, capability: 'read' };
  const mayRead = useRights([right]);
  if (mayRead === undefined) return <Skeleton rows={1} />;
  if (!mayRead) return <p className={kit.muted}>You don’t have permission to see who has it.</p>;
  return <Known name={name} />;
}

function Known({ name }: { name: string }) {
  const query = useQuery({
    queryKey: ['policy-holders', name],
    queryFn: () => read<PolicyHoldersAnswer>(`${policyPath(name)}/holders`),
    retry: false,
  });
  return (
    <Loaded query={query}>
      {({ tokens, roles, totals, is_complete: isComplete }) => (
        <div className={`${kit.stack} ${kit.tight}`}>
          <p>
            {totals.tokens === 0
              ? 'No token has this policy now'
              : `${counted(totals.tokens, 'token')}${totals.sessions > 0 ? ` with ${counted(totals.sessions, 'console session')}` : ''} ${totals.tokens === 1 ? 'has' : 'have'} this policy`}
            {tokens.length > 0
              ? `: ${listOf(
                  tokens.map((token) => token.user ?? (actorText(token.name) || 'root')),
                  totals.tokens,
                )}`
              : ''}
            .
          </p>
          {roles.length > 0 ? (
            <p>
              New tokens get it from{' '}
              {listOf(
                roles.map((role) => `${ROLE_KINDS[role.kind].toLowerCase()} ${role.name}`),
                totals.roles,
              )}
              .
            </p>
          ) : null}
          {isComplete ? null : <p>There are more than were looked at.</p>}
        </div>
      )}
    </Loaded>
  );
}

function listOf(names: string[], total: number): string {
  const shown = names.slice(0, MOST_NAMES);
  const rest = total - shown.length;
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ');
}
