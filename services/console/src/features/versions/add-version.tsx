import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { SchemaDialog } from '../../schema-form/schema-dialog.tsx';
import { NEW } from './fields.ts';
import { enginePath } from './queries.ts';

/** Adds a version with its build for one architecture. */
export function AddVersion({ engine, close }: { engine: string; close: () => void }) {
  const queries = useQueryClient();
  return (
    <SchemaDialog
      title="Add a version"
      action="Add"
      fields={NEW}
      close={close}
      carryOut={async ({ url = '', sha = '', arch = 'amd64', ...rest }) => {
        const builds = arch === 'amd64' ? { url, sha } : { archs: [{ url, sha, os: 'linux', arch }] };
        const attributes = { version: '', ...rest, ...builds };
        await call('POST', enginePath(engine), { body: { data: { type: engine, attributes } } });
        await queries.invalidateQueries({ queryKey: ['versions'] });
      }}
    />
  );
}
