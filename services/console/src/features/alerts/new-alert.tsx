import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { FieldAnswer } from '../../../../api/contract/forms.ts';
import { carryOutWarned, IF_ABSENT } from '../../api/client.ts';
import { isOvertaking, refusalAt } from '../../api/failure.ts';
import { schemasQuery } from '../../api/queries.ts';
import { Loaded, Page } from '../../kit/page.tsx';
import { EditForm } from '../../schema-form/edit-form.tsx';
import type { Edits } from '../../schema-form/schema-form.tsx';
import { sentRule, shownRule, useAlertFields } from './fields.ts';
import { sectionsOf } from './sections.ts';
import { alertPath, alertsQuery, RULE_CREATION } from './queries.ts';
import { TestTyped } from './test-typed.tsx';

const NAME: FieldAnswer = {
  name: 'name',
  title: 'Name',
  type: 'string',
  description: 'Letters, digits and _.-',
  is_required: true,
};

/** A rule that does not exist yet. */
export function NewAlert() {
  return (
    <Page title="New alert rule" rights={[RULE_CREATION]} about="Send a test before you save it.">
      <Loaded query={useQuery(schemasQuery)}>{({ alerts }) => <Form fields={alerts} />}</Loaded>
    </Page>
  );
}

function Form({ fields }: { fields: FieldAnswer[] }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const alerts = useAlertFields(fields);
  const { data: rules = [] } = useQuery({ ...alertsQuery, retry: false });
  const values = shownRule({ name: freeName(rules.map(({ name }) => name)) }, alerts);
  const bodyOf = (edits: Edits): Edits => withoutName(sentRule(edits, values, alerts));
  return (
    <EditForm
      sections={[{ title: 'Rule', fields: [NAME] }, ...sectionsOf(alerts)]}
      stored={{ revision: '', changed_at: null, changed_by: null, values }}
      savedText="Saved."
      beside={(edits, trial) => (
        <TestTyped
          name={nameOf({ ...values, ...edits }) || 'new'}
          body={bodyOf(edits)}
          fields={alerts}
          trial={trial}
        />
      )}
      callOf={(edits) => ({
        method: 'POST',
        path: alertPath(nameOf({ ...values, ...edits }) || '+'),
        body: bodyOf(edits),
        headers: IF_ABSENT,
      })}
      save={async (call) => {
        const { data, warnings } = await carryOutWarned<{ name: string }>(call).catch(explain);
        await queries.invalidateQueries({ queryKey: ['alerts'] });
        await navigate({ to: '/alerts/$name', params: { name: data.name }, ignoreBlocker: true });
        return warnings;
      }}
      reload={async () => undefined}
    />
  );
}

// There are no changes to compare: the rule of that name is another one.
function explain(error: unknown): never {
  throw isOvertaking(error) ? refusalAt(NAME.name, error.message) : error;
}

// A rule has a name before anyone has thought of one.
function freeName(taken: string[]): string {
  const names = ['alerts', ...taken.map((_, index) => `alerts-${index + 2}`)];
  return names.find((name) => !taken.includes(name)) ?? '';
}

function nameOf({ name }: Edits): string {
  return typeof name === 'string' ? name.trim() : '';
}

function withoutName(edits: Edits): Edits {
  return Object.fromEntries(Object.entries(edits).filter(([name]) => name !== NAME.name));
}
