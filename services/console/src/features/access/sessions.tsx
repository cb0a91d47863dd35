import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { actorText } from '../../../../../libs/telling/actor.ts';
import type { ListedSessionAnswer } from '../../../../api/contract/sessions.ts';
import { carryOut } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import { FormDialog } from '../../kit/form-dialog.tsx';
import kit from '../../kit/kit.module.css';
import { Empty, Loaded } from '../../kit/page.tsx';
import { Search } from '../../kit/search.tsx';
import { ACTIONS, Table } from '../../kit/table.tsx';
import { Time } from '../../kit/time.tsx';
import { GuardedButton } from '../../kit/rights/guarded-button.tsx';
import { signOut } from '../../session/session.ts';
import { PersonActivity } from '../../kit/rights/person-activity.tsx';
import { AccessPage } from './access-page.tsx';
import { named } from './named.ts';
import { sessionsQuery } from './queries.ts';

type Session = ListedSessionAnswer & { id: string };

/** Which browsers are signed in. */
export function Sessions() {
  const [q, setQ] = useState('');
  return (
    <AccessPage
      title="Sessions"
      about="Browsers that are signed in with your token or, if you have the right, with any token."
    >
      <Search label="Filter by name or policy" value={q} set={(text = '') => setQ(text)} />
      <Loaded query={useQuery(sessionsQuery)}>
        {(sessions) =>
          sessions.length === 0 ? (
            <Empty title="No one is signed in to this namespace" />
          ) : (
            <Table columns={['Who', 'Policies', 'Last used', 'Expires', ACTIONS]}>
              {sessions.filter(named(q)).map((session) => (
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
        {actorText(name)}{' '}
        {isCurrent ? (
          <span className={kit.chip}>this browser</span>
        ) : isOwn ? (
          <span className={kit.chip}>your token</span>
        ) : null}
        <Origin session={session} />
        <p className={`${kit.small} ${kit.muted} ${kit.mono}`}>{accessor}</p>
      </td>
      <td>{policies.join(', ')}</td>
      <td>
        <Time at={session.last_used_time} />
      </td>
      <td>
        <Time at={session.expire_time} />
      </td>
      <td>
        <div className={kit.row}>
          <PersonActivity name={name} />
          <GuardedButton
            call={endOf(session)}
            isAllowed={isOwn || isCurrent}
            kind="danger"
            aria-label={`End the session of ${actorText(name)}`}
            onClick={() => setIsEnding(true)}
          >
            End…
          </GuardedButton>
        </div>
        {isEnding ? <EndSession session={session} close={() => setIsEnding(false)} /> : null}
      </td>
    </tr>
  );
}

// Of a session that began before this was kept, nothing is known.
function Origin({ session: { browser, system, address } }: { session: Session }) {
  const words = [browser ?? (system ? 'A browser' : ''), system ? `on ${system}` : ''];
  const text = [words.filter(Boolean).join(' '), address ?? ''].filter(Boolean).join(', ');
  return text === '' ? null : <p className={kit.small}>{text}</p>;
}

function endOf({ id }: Session): Call {
  return { method: 'DELETE', path: `auth/session/${id}` };
}

function EndSession({ session, close }: { session: Session; close: () => void }) {
  const queries = useQueryClient();
  return (
    <FormDialog
      title={`End the session of ${actorText(session.display_name)}`}
      action="End the session"
      isDangerous
      close={close}
      call={endOf(session)}
      isAllowed={session.is_own || session.is_current}
      carryOut={async () => {
        if (session.is_current) return signOut();
        await carryOut(endOf(session));
        await queries.invalidateQueries({ queryKey: ['sessions'] });
      }}
    >
      <p>That browser must sign in again. The token stays valid.</p>
    </FormDialog>
  );
}
