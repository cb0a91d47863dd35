import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { change } from '../../api/client.ts';
import { ApiFailure } from '../../api/failure.ts';
import { useAttempt } from '../../kit/attempt.ts';
import { Button } from '../../kit/button.tsx';
import { ConfirmByName } from '../../kit/confirm.tsx';
import { FailureNotice } from '../../kit/failure-notice.tsx';
import kit from '../../kit/kit.module.css';
import { Skeleton } from '../../kit/page.tsx';
import { FormEnd } from '../../schema-form/form-end.tsx';
import { AccessPage } from './access-page.tsx';
import { PolicyText } from './policy-text.tsx';
import { PolicyTester } from './policy-tester.tsx';
import { policyPath, policyQuery } from './queries.ts';

const route = getRouteApi('/access/policies/$name');

const EXAMPLE = `path "secret/data/app/*" {
  capabilities = ["read", "list"]
}
`;

/** One policy: its text, what is wrong with it, and what it gives on a path. */
export function Policy() {
  const { name } = route.useParams();
  const query = useQuery({ ...policyQuery(name), refetchOnWindowFocus: false });
  // Nobody wrote it yet: the page is where that is done.
  const isNew = query.error instanceof ApiFailure && query.error.status === 404;
  return (
    <AccessPage
      title={name}
      about={isNew ? 'A policy that is not written yet.' : 'What a token with this policy may do.'}
    >
      {query.isPending ? <Skeleton /> : null}
      {query.isError && !isNew ? (
        <FailureNotice failure={query.error} retry={() => void query.refetch()} />
      ) : null}
      {isNew || query.data !== undefined ? (
        <Editor key={name} name={name} written={query.data ?? null} />
      ) : null}
    </AccessPage>
  );
}

function Editor({ name, written }: { name: string; written: string | null }) {
  const queries = useQueryClient();
  const [typed, setTyped] = useState<string | null>(null);
  const [isSaved, setIsSaved] = useState(false);
  const { busy, failure, attempt } = useAttempt();
  const text = typed ?? written ?? EXAMPLE;
  const save = async (): Promise<void> => {
    const done = await attempt(async () => {
      await change('POST', policyPath(name), { policy: text });
      queries.setQueryData(policyQuery(name).queryKey, text);
      await queries.invalidateQueries({ queryKey: ['policies'] });
      setTyped(null);
    });
    setIsSaved(done);
  };
  return (
    <>
      <form
        className={kit.stack}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <PolicyText
          text={text}
          failure={failure}
          type={(next) => {
            setTyped(next);
            setIsSaved(false);
          }}
        />
        <FormEnd
          failure={failure}
          saved={isSaved ? 'Saved. It holds at once for every token that carries it.' : ''}
          busy={busy}
          isTouched={text !== written}
          discard={() => setTyped(null)}
        />
      </form>
      <PolicyTester text={text} />
      {written === null ? null : <Removal name={name} />}
    </>
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
