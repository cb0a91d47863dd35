import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { FieldAnswer } from '../../../../api/contract/forms.ts';
import { carryOut, IF_ABSENT } from '../../api/client.ts';
import { schemasQuery } from '../../api/queries.ts';
import { Loaded, Page } from '../../kit/page.tsx';
import { EditForm } from '../../schema-form/edit-form.tsx';
import type { Edits } from '../../schema-form/schema-form.tsx';
import { useAlertFields } from './fields.ts';
import { sectionsOf } from './sections.ts';
import { alertPath } from './queries.ts';
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
    <Page title="New alert rule" about="Send a test before you save it.">
      <Loaded query={useQuery(schemasQuery)}>{({ alerts }) => <Form fields={alerts} />}</Loaded>
    </Page>
  );
}

function Form({ fields }: { fields: FieldAnswer[] }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const alerts = useAlertFields(fields);
  return (
    <EditForm
      sections={[{ title: 'Rule', fields: [NAME] }, ...sectionsOf(alerts)]}
      stored={{ revision: '', changed_at: null, changed_by: null, values: {} }}
      savedText="Saved."
      beside={(edits, trial) => (
        <TestTyped name={nameOf(edits) || 'new'} body={withoutName(edits)} fields={alerts} trial={trial} />
      )}
      callOf={(edits) => ({
        method: 'POST',
        path: alertPath(nameOf(edits) || '+'),
        body: withoutName(edits),
        headers: IF_ABSENT,
      })}
      save={async (call) => {
        const { name } = await carryOut<{ name: string }>(call);
        await queries.invalidateQueries({ queryKey: ['alerts'] });
        await navigate({ to: '/alerts/$name', params: { name }, ignoreBlocker: true });
      }}
      reload={async () => undefined}
    />
  );
}

function nameOf({ name }: Edits): string {
  return typeof name === 'string' ? name.trim() : '';
}

function withoutName(edits: Edits): Edits {
  return Object.fromEntries(Object.entries(edits).filter(([name]) => name !== NAME.name));
}
