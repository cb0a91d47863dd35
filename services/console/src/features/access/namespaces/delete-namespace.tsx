import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { NamespaceAnswer } from '../../../../../api/contract/mounts.ts';
import { carryOut, currentNamespace, pathOf, read } from '../../../api/client.ts';
import type { Call } from '../../../api/curl.ts';
import { ONCE } from '../../../api/polling.ts';
import { ConfirmByName } from '../../../kit/confirm.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import kit from '../../../kit/kit.module.css';
import { Cancel } from '../../../kit/leaving/cancel.tsx';
import { Loaded } from '../../../kit/page.tsx';
import { useHasRights } from '../../../kit/rights/allowed.ts';
import { counted } from '../../../kit/text/counted.ts';

// Where each kind of thing is deleted.
const PLACES = {
  namespaces: ['namespace', '/access/namespaces'],
  mounts: ['mount', '/secrets/$'],
  destinations: ['destination', '/destinations'],
  policies: ['policy', '/access/policies'],
  token_roles: ['token role', null],
  auth_methods: ['auth method', '/access/auth-methods'],
  teams: ['team', '/access/teams'],
  alert_rules: ['alert rule', '/alerts'],
  github_apps: ['GitHub App', '/github-apps'],
  tokens: ['token', '/access/tokens'],
} as const;

/** Deletes an empty namespace. What is in another is named, with links, before anybody types its name. */
export function DeleteNamespace(props: { parent: string; name: string; close: () => void }) {
  const path = `${props.parent}${props.name}`.replace(/\/$/, '');
  const about = `sys/namespaces/${pathOf(path)}`;
  const isReader = useHasRights([{ path: about, capability: 'read' }]);
  const query = useQuery({
    queryKey: ['namespace-hindrances', path],
    queryFn: async () => (await read<NamespaceAnswer>(`${about}?details=true`)).hindrances ?? {},
    enabled: isReader,
    // What somebody has deleted meanwhile is in the way no more.
    staleTime: 0,
    gcTime: 0,
    ...ONCE,
  });
  const isFull = query.data !== undefined && Object.keys(query.data).length > 0;
  if (!isFull) return <Confirm {...props} path={path} isBlocked={isReader && query.isPending} />;
  return (
    <Dialog title={`${path}/ is not empty`} close={props.close}>
      <p>Delete what is in it first:</p>
      <Loaded query={query}>{(found) => <Hindrances path={path} found={found} />}</Loaded>
      <div className={`${kit.row} ${kit.actions}`}>
        <Cancel />
      </div>
    </Dialog>
  );
}

function Hindrances({ path, found }: { path: string; found: Record<string, number> }) {
  const ns = [currentNamespace(), path].filter(Boolean).join('/');
  return (
    <ul>
      {Object.entries(PLACES)
        .filter(([kind]) => found[kind] !== undefined)
        .map(([kind, [noun, to]]) => {
          const text = counted(found[kind] ?? 0, noun, PLURALS[noun]);
          return (
            <li key={kind}>
              {to === null ? (
                text
              ) : (
                <Link to={to} params={{ _splat: '' }} search={{ ns }}>
                  {text}
                </Link>
              )}
            </li>
          );
        })}
    </ul>
  );
}

const PLURALS: Record<string, string | undefined> = { policy: 'policies' };

function Confirm({ path, isBlocked, close }: { path: string; isBlocked: boolean; close: () => void }) {
  const queries = useQueryClient();
  const removal: Call = { method: 'DELETE', path: `sys/namespaces/${pathOf(path)}` };
  return (
    <ConfirmByName
      title={`Delete ${path}`}
      name={path}
      action="Delete"
      isBlocked={isBlocked}
      close={close}
      call={removal}
      carryOut={async () => {
        await carryOut(removal);
        await queries.invalidateQueries({ queryKey: ['namespaces'] });
      }}
    >
      <p>Only an empty namespace can be deleted.</p>
    </ConfirmByName>
  );
}
