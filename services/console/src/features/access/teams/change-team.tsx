import { useQueryClient } from '@tanstack/react-query';
import type { FieldAnswer } from '../../../../../api/contract/forms.ts';
import { carryOut, IF_ABSENT } from '../../../api/client.ts';
import type { Call } from '../../../api/curl.ts';
import { FormDialog } from '../../../kit/form-dialog.tsx';
import { withToken } from '../../../kit/rights/with-token.tsx';
import { absent } from '../../../schema-form/meanwhile/begun.tsx';
import { ChangeDialog } from '../../../schema-form/meanwhile/change-dialog.tsx';
import type { Edits } from '../../../schema-form/schema-form.tsx';
import { usePolicyFields } from '../policy-names.tsx';
import { teamPath, teamsQuery, type Team } from './queries.ts';

const NAME: FieldAnswer = {
  name: 'name',
  title: 'Team',
  description: 'As the identity provider writes it in the teams attribute of the SAML settings.',
  is_required: true,
};

const GIVEN: FieldAnswer = {
  name: 'policies',
  type: 'array',
  description: 'Policies that its members get when they sign in to this namespace.',
};

/** Says which policies the members of a team get; without `team`, of a new one. */
export function ChangeTeam({ team, close }: { team?: Team; close: () => void }) {
  const queries = useQueryClient();
  const fields = usePolicyFields(team ? [GIVEN] : [NAME, GIVEN]);
  return (
    <ChangeDialog
      title={team ? `Change ${team.name}` : 'Add a team'}
      action={team ? 'Save' : 'Add team'}
      needsToken
      fields={fields}
      values={{ policies: team?.policies }}
      reread={
        team && (async () => presentOf(team.name, await queries.fetchQuery({ ...teamsQuery, staleTime: 0 })))
      }
      close={close}
      callOf={(values) => writeOf(values, team)}
      carryOut={async (values, token) => {
        await withToken(writeOf(values, team), token, carryOut);
        await queries.invalidateQueries(teamsQuery);
      }}
    />
  );
}

function presentOf(name: string, teams: Team[]) {
  const { policies, ...changed } = teams.find((one) => one.name === name) ?? {};
  if (!policies) throw absent();
  return { ...changed, values: { policies } };
}

function writeOf(values: Edits, team: Team | undefined): Call {
  const path = teamPath(team ? team.name : nameOf(values) || '+');
  const body = { policies: values['policies'] ?? team?.policies ?? [] };
  return { method: 'POST', path, body, ...(team ? {} : { headers: IF_ABSENT }) };
}

function nameOf({ name }: Edits): string {
  return typeof name === 'string' ? name.trim() : '';
}

/** Takes the policies of a team from its members. */
export function DeleteTeam({ team: { name, policies }, close }: { team: Team; close: () => void }) {
  const queries = useQueryClient();
  const removal: Call = { method: 'DELETE', path: teamPath(name) };
  return (
    <FormDialog
      title={`Delete ${name}`}
      action="Delete"
      isDangerous
      close={close}
      call={removal}
      carryOut={async () => {
        await carryOut(removal);
        await queries.invalidateQueries(teamsQuery);
      }}
    >
      <p>
        From the next sign-in on, its members no longer get {policies.join(', ')} from this team. Sessions
        that are open now keep their policies until they end.
      </p>
    </FormDialog>
  );
}
