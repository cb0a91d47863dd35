import { useQueryClient } from '@tanstack/react-query';
import { carryOut } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import { SchemaDialog } from '../../schema-form/schema-dialog.tsx';
import type { Edits } from '../../schema-form/schema-form.tsx';
import { NEW } from './fields.ts';
import { enginePath } from './queries.ts';

/** Adds a version with its build for one architecture. */
export function AddVersion({ engine, close }: { engine: string; close: () => void }) {
  const queries = useQueryClient();
  const callOf = ({ url = '', sha = '', arch = 'amd64', ...rest }: Edits): Call => {
    const builds = arch === 'amd64' ? { url, sha } : { archs: [{ url, sha, os: 'linux', arch }] };
    const attributes = { version: '', ...rest, ...builds };
    return { method: 'POST', path: enginePath(engine), body: { data: { type: engine, attributes } } };
  };
  return (
    <SchemaDialog
      title="Add a version"
      action="Add"
      fields={NEW}
      close={close}
      callOf={callOf}
      carryOut={async (values) => {
        await carryOut(callOf(values));
        await queries.invalidateQueries({ queryKey: ['versions'] });
      }}
    />
  );
}
