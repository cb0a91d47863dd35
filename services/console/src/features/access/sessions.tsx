import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ListedSessionAnswer } from '../../../../api/contract/answers.ts';
import { call } from '../../api/client.ts';
import { Button } from '../../kit/button.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import kit from '../../kit/kit.module.css';
import { Empty, Loaded } from '../../kit/page.tsx';
import { ACTIONS, Table } from '../../kit/table.tsx';
import { Time } from '../../kit/time.tsx';
import { signOut } from '../../session/session.ts';
import { AccessPage } from './access-page.tsx';
import { sessionsQuery } from './queries.ts';

type Session = ListedSessionAnswer & { id: string };

/** Which browsers are signed in. */
export function Sessions() {
  return (
    <AccessPage
      title="Sessions"
      about="Browsers that are signed in: those of your own token, and with the right to it those of all tokens."
    >
      <Loaded query={useQuery(sessionsQuery)}>
        {(sessions) =>
          sessions.length === 0 ? (
            <Empty title="Nobody is signed in to this namespace" />
          ) : (
            <Table columns={['Who', 'Policies', 'Last used', 'Ends at the latest', ACTIONS]}>
              {sessions.map((session) => (
                <Row key={session.id} session={session} />
              ))}
            </Table>
          )
        }
      </Loaded>
    </AccessPage>
  );
}

function Row({ session }: { session: Session }) {
  const { display_name: name, accessor, policies, is_current: isCurrent, is_own: isOwn } = session;
  const [isEnding, setIsEnding] = useState(false);
  return (
    <tr>
      <td>
        {name}{' '}
        {isCurrent ? (
          <span className={kit.chip}>this one</span>
        ) : isOwn ? (
          <span className={kit.chip}>yours</span>
        ) : null}
        <p className={`${kit.small} ${kit.muted} ${kit.mono}`}>{accessor}</p>
      </td>
      <td>{policies.join(', ')}</td>
      <td className={kit.whole}>
        <Time at={session.last_used_time} />
      </td>
      <td className={kit.whole}>
        <Time at={session.expire_time} />
      </td>
      <td>
        <Button kind="danger" aria-label={`End the session of ${name}`} onClick={() => setIsEnding(true)}>
          End…
        </Button>
        {isEnding ? <EndSession session={session} close={() => setIsEnding(false)} /> : null}
      </td>
    </tr>
  );
}

function EndSession({ session, close }: { session: Session; close: () => void }) {
  const queries = useQueryClient();
  const path = `auth/session/${session.id}`;
  return (
    <FormDialog
      title={`End the session of ${session.display_name}`}
      action="End it"
      isDangerous
      close={close}
      call={{ method: 'DELETE', path }}
      carryOut={async () => {
        if (session.is_current) return signOut();
        await call('DELETE', path);
        await queries.invalidateQueries({ queryKey: ['sessions'] });
      }}
    >
      <p>That browser has to sign in again. The token behind it goes on working.</p>
    </FormDialog>
  );
}
