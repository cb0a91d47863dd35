import { useQueryClient } from '@tanstack/react-query';
import { call, pathOf } from '../../api/client.ts';
import { ConfirmByName } from '../../kit/confirm.tsx';
import { SchemaDialog } from '../../schema-form/schema-dialog.tsx';

const NAME = [{ name: 'name', description: 'Letters, digits and _ . @ -' }];

/** Creates a namespace below `parent`, whose path ends in a slash; empty: the page's own namespace. */
export function CreateNamespace({ parent, close }: { parent: string; close: () => void }) {
  const queries = useQueryClient();
  return (
    <SchemaDialog
      title={parent ? `Create below ${parent}` : 'Create a namespace'}
      action="Create"
      fields={NAME}
      close={close}
      carryOut={async ({ name }) => {
        if (typeof name !== 'string') throw new Error('Name it first.');
        const path = `${parent}${name.trim()}`;
        await call('POST', `sys/namespaces/${pathOf(path)}`, { body: {} });
        await queries.invalidateQueries({ queryKey: ['namespaces'] });
      }}
    />
  );
}

/** Deletes an empty namespace. If it is not empty, the API says what is still in it. */
export function DeleteNamespace({
  parent,
  name,
  close,
}: {
  parent: string;
  name: string;
  close: () => void;
}) {
  const queries = useQueryClient();
  const path = `${parent}${name}`.replace(/\/$/, '');
  return (
    <ConfirmByName
      title={`Delete ${path}`}
      name={path}
      action="Delete"
      close={close}
      call={{ method: 'DELETE', path: `sys/namespaces/${pathOf(path)}` }}
      carryOut={async () => {
        await call('DELETE', `sys/namespaces/${pathOf(path)}`);
        await queries.invalidateQueries({ queryKey: ['namespaces'] });
      }}
    >
      <p>Only an empty one is deleted: what is in it goes first.</p>
    </ConfirmByName>
  );
}
