import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { change } from '../../api/client.ts';
import { ApiFailure } from '../../api/failure.ts';
import { Button } from '../../kit/button.tsx';
import { ConfirmByName } from '../../kit/confirm.tsx';
import { FailureNotice } from '../../kit/failure-notice.tsx';
import { Skeleton } from '../../kit/page.tsx';
import { AccessPage } from './access-page.tsx';
import { PolicyEditor } from './policy-editor.tsx';
import { policyPath, policyQuery } from './queries.ts';

const route = getRouteApi('/access/policies/$name');

/** One policy: its text, what is wrong with it, and what it gives on a path. */
export function Policy() {
  const { name } = route.useParams();
  const query = useQuery(policyQuery(name));
  // Nobody wrote it yet: the page is where that is done.
  const isNew = query.error instanceof ApiFailure && query.error.status === 404;
  const about = isNew ? 'A policy that is not written yet.' : 'What a token with this policy may do.';
  return (
    <AccessPage title={name} about={about}>
      {query.isPending ? <Skeleton /> : null}
      {query.isError && !isNew ? (
        <FailureNotice failure={query.error} retry={() => void query.refetch()} />
      ) : null}
      {isNew || query.data !== undefined ? (
        <PolicyEditor key={name} name={name} stored={query.data ?? null} />
      ) : null}
      {query.data?.revision ? <Removal name={name} /> : null}
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
