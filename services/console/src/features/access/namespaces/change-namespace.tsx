import { useQueryClient } from '@tanstack/react-query';
import { carryOut, pathOf } from '../../../api/client.ts';
import type { Call } from '../../../api/curl.ts';
import { SchemaDialog } from '../../../schema-form/schema-dialog.tsx';
import type { Edits } from '../../../schema-form/schema-form.tsx';

const NAME = [{ name: 'name', description: 'Letters, digits and _ . @ -', is_required: true }];

/** Creates a namespace below `parent`, whose path ends in a slash; empty: the page's own namespace. */
export function CreateNamespace({ parent, close }: { parent: string; close: () => void }) {
  const queries = useQueryClient();
  const callOf = ({ name }: Edits): Call => {
    const path = `${parent}${typeof name === 'string' ? name.trim() : 'name'}`;
    return { method: 'POST', path: `sys/namespaces/${pathOf(path)}`, body: {} };
  };
  return (
    <SchemaDialog
      title={parent ? `Create a child of ${parent}` : 'Create a namespace'}
      action="Create"
      fields={NAME}
      close={close}
      callOf={callOf}
      carryOut={async (values) => {
        await carryOut(callOf(values));
        await queries.invalidateQueries({ queryKey: ['namespaces'] });
      }}
    />
  );
}
