import { useQueryClient } from '@tanstack/react-query';
import { carryOut, IF_ABSENT, pathOf } from '../../../api/client.ts';
import type { Call } from '../../../api/curl.ts';
import { ApiFailure, refusalAt } from '../../../api/failure.ts';
import { rightFor } from '../../../api/right.ts';
import { SchemaDialog } from '../../../schema-form/schema-dialog.tsx';
import type { Edits } from '../../../schema-form/schema-form.tsx';

const NAME = [{ name: 'name', description: 'Letters, digits and _ . @ -', is_required: true }];

/** Creates a namespace below `parent`, whose path ends in a slash; empty: the page's own namespace. */
export function CreateNamespace({ parent, close }: { parent: string; close: () => void }) {
  const queries = useQueryClient();
  const callOf = ({ name }: Edits): Call => {
    const path = `sys/namespaces/${pathOf(`${parent}${typeof name === 'string' ? name.trim() : 'name'}`)}`;
    return { method: 'POST', path, body: {}, headers: IF_ABSENT, rights: [rightFor('POST', path)] };
  };
  return (
    <SchemaDialog
      title={parent ? `Create a child of ${parent}` : 'Create a namespace'}
      action="Create"
      fields={NAME}
      close={close}
      callOf={callOf}
      carryOut={async (values) => {
        await carryOut(callOf(values)).catch(explain);
        await queries.invalidateQueries({ queryKey: ['namespaces'] });
      }}
    />
  );
}

// A mount may have the path, too.
function explain(error: unknown): never {
  throw error instanceof ApiFailure && error.status === 400 ? refusalAt('name', error.message) : error;
}
