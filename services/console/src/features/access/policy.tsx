import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { change } from '../../api/client.ts';
import { Button } from '../../kit/button.tsx';
import { ConfirmByName } from '../../kit/confirm.tsx';
import { Loaded } from '../../kit/page.tsx';
import { AccessPage } from './access-page.tsx';
import { PolicyEditor } from './policy-editor.tsx';
import { policyPath, policyQuery } from './queries.ts';

const route = getRouteApi('/access/policies/$name');

/** One policy: its text, its faults, and what it allows on a path. */
export function Policy() {
  const { name } = route.useParams();
  const query = useQuery(policyQuery(name));
  const about =
    query.data === null ? 'A policy that is not written yet.' : 'What a token with this policy may do.';
  return (
    <AccessPage title={name} about={about}>
      <Loaded query={query}>
        {(stored) => (
          <>
            <PolicyEditor key={name} name={name} stored={stored} />
            {stored?.revision ? <Removal name={name} /> : null}
          </>
        )}
      </Loaded>
    </AccessPage>
  );
}

function Removal({ name }: { name: string }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div>
      <Button kind="danger" onClick={() => setIsOpen(true)}>
        Delete…
      </Button>
      {isOpen ? (
        <ConfirmByName
          title={`Delete ${name}`}
          name={name}
          action="Delete"
          close={() => setIsOpen(false)}
          call={{ method: 'DELETE', path: policyPath(name) }}
          carryOut={async () => {
            await change('DELETE', policyPath(name));
            await queries.invalidateQueries({ queryKey: ['policies'] });
            await navigate({ to: '/access/policies' });
            queries.removeQueries({ queryKey: ['policy', name] });
          }}
        >
          <p>Tokens that carry it lose at once what it gives them.</p>
        </ConfirmByName>
      ) : null}
    </div>
  );
}
