import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { carryOut, ifRevision } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import { rightFor } from '../../api/right.ts';
import { ConfirmByName } from '../../kit/confirm.tsx';
import kit from '../../kit/kit.module.css';
import { Loaded } from '../../kit/page.tsx';
import { GuardedButton } from '../../kit/rights/guarded-button.tsx';
import { AccessPage } from './access-page.tsx';
import { Holders } from './holders.tsx';
import { PolicyEditor } from './policy-editor.tsx';
import { policyPath, policyQuery } from './queries.ts';

const route = getRouteApi('/access/policies/$name');

/** One policy: its text, its faults, and what it allows on a path. */
export function Policy() {
  const { name } = route.useParams();
  const query = useQuery(policyQuery(name));
  const ofPolicy = (method: string) => rightFor(method, policyPath(name));
  const [wasStored, setWasStored] = useState(false);
  if (query.data && !wasStored) setWasStored(true);
  const missing = wasStored
    ? 'Someone deleted this policy. If you save it, it exists again.'
    : 'This policy does not exist yet.';
  const about = query.data === null ? missing : 'What a token with this policy may do.';
  return (
    <AccessPage
      title={name}
      rights={[ofPolicy('GET')]}
      parts={[ofPolicy('POST'), ofPolicy('DELETE')]}
      about={about}
    >
      <Loaded query={query}>
        {(stored) => (
          <>
            <PolicyEditor key={name} name={name} stored={stored} />
            <HeldBy name={name} />
            {stored?.revision ? <Removal name={name} revision={stored.revision} /> : null}
          </>
        )}
      </Loaded>
    </AccessPage>
  );
}

function HeldBy({ name }: { name: string }) {
  return (
    <section className={`${kit.stack} ${kit.tight}`} aria-labelledby="holders">
      <h2 id="holders">Who has it</h2>
      <Holders name={name} />
    </section>
  );
}

function Removal({ name, revision }: { name: string; revision: string }) {
  const removal: Call = { method: 'DELETE', path: policyPath(name), headers: ifRevision(revision) };
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div>
      <GuardedButton call={removal} kind="danger" onClick={() => setIsOpen(true)}>
        Delete policy…
      </GuardedButton>
      {isOpen ? (
        <ConfirmByName
          title={`Delete ${name}`}
          name={name}
          action="Delete policy"
          close={() => setIsOpen(false)}
          call={removal}
          carryOut={async () => {
            await carryOut(removal);
            await queries.invalidateQueries({ queryKey: ['policies'] });
            await navigate({ to: '/access/policies', ignoreBlocker: true });
            queries.removeQueries({ queryKey: ['policy', name] });
          }}
        >
          <p>Whoever has this policy loses its rights immediately.</p>
          <Holders name={name} />
        </ConfirmByName>
      ) : null}
    </div>
  );
}
