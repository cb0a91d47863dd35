import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { actorText } from '../../../../../../libs/telling/actor.ts';
import type { Call } from '../../../api/curl.ts';
import { rightsOf } from '../../../api/right.ts';
import { Empty, Loaded } from '../../../kit/page.tsx';
import { TEAMS } from '../../../kit/rights/access-pages.ts';
import { GuardedButton } from '../../../kit/rights/guarded-button.tsx';
import kit from '../../../kit/kit.module.css';
import { ACTIONS, Table } from '../../../kit/table.tsx';
import { Time } from '../../../kit/time.tsx';
import { AccessPage } from '../access-page.tsx';
import { PolicyNames } from '../policy-names.tsx';
import { ChangeTeam, DeleteTeam } from './change-team.tsx';
import { teamPath, teamsQuery, type Team } from './queries.ts';

const CREATION: Call = { method: 'POST', path: 'sys/teams/+' };

/** The policies that people get who sign in by single sign-on, by their teams at the identity provider. */
export function Teams() {
  const query = useQuery(teamsQuery);
  const [isAdding, setIsAdding] = useState(false);
  const [open, setOpen] = useState<{ team: Team; deed: 'change' | 'delete' } | null>(null);
  const close = (): void => setOpen(null);
  const add = (
    <GuardedButton call={CREATION} kind="primary" onClick={() => setIsAdding(true)}>
      Add a team
    </GuardedButton>
  );
  return (
    <AccessPage
      title="Teams"
      rights={[TEAMS]}
      parts={rightsOf(CREATION)}
      about="Policies of people who use single sign-on, by their teams at the identity provider. Many identity providers call teams groups."
      actions={add}
    >
      <Loaded query={query}>
        {(teams) =>
          teams.length === 0 ? (
            <Empty title="No teams yet" action={add}>
              People who sign in get the policies of all their teams. Without a team, they get only default.
            </Empty>
          ) : (
            <>
              <Table columns={['Team', 'Policies', 'Changed', ACTIONS]}>
                {teams.map((team) => (
                  <Row key={team.name} team={team} open={(deed) => setOpen({ team, deed })} />
                ))}
              </Table>
              <p className={kit.muted}>
                A change counts from the next sign-in on. Whoever is signed in keeps their policies until the
                session ends.
              </p>
            </>
          )
        }
      </Loaded>
      {open?.deed === 'change' ? <ChangeTeam team={open.team} close={close} /> : null}
      {open?.deed === 'delete' ? <DeleteTeam team={open.team} close={close} /> : null}
      {isAdding ? <ChangeTeam close={() => setIsAdding(false)} /> : null}
    </AccessPage>
  );
}

// Its dialogs stand beside the table: someone else may delete the team while they are open.
function Row({ team, open }: { team: Team; open: (deed: 'change' | 'delete') => void }) {
  const { name, policies, changed_at: changedAt, changed_by: author } = team;
  return (
    <tr>
      <td>{name}</td>
      <td>
        <PolicyNames names={policies} />
      </td>
      <td>
        <Time at={changedAt} />
        {author ? <p className={`${kit.small} ${kit.muted}`}>by {actorText(author)}</p> : null}
      </td>
      <td>
        <div className={kit.row}>
          <GuardedButton
            call={{ method: 'POST', path: teamPath(name) }}
            aria-label={`Change ${name}`}
            onClick={() => open('change')}
          >
            Change…
          </GuardedButton>
          <GuardedButton
            call={{ method: 'DELETE', path: teamPath(name) }}
            kind="danger"
            aria-label={`Delete ${name}`}
            onClick={() => open('delete')}
          >
            Delete…
          </GuardedButton>
        </div>
      </td>
    </tr>
  );
}
