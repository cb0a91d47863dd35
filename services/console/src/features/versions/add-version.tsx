import { useQueryClient } from '@tanstack/react-query';
import type { FieldAnswer } from '../../../../api/contract/answers.ts';
import { call } from '../../api/client.ts';
import { SchemaDialog } from '../../schema-form/schema-dialog.tsx';
import { enginePath } from './queries.ts';

const FIELDS: FieldAnswer[] = [
  { name: 'version', description: 'Such as 1.2.0.' },
  { name: 'url', description: 'Where the binary is downloaded.' },
  { name: 'sha', description: 'SHA-256 of the binary, 64 hexadecimal digits.' },
  { name: 'arch', enum: ['amd64', 'arm64', 's390x'], default: 'amd64' },
  { name: 'beta', type: 'boolean', default: false },
  { name: 'enabled', type: 'boolean', default: true },
];

/** Adds a version with its build for one architecture. */
export function AddVersion({ engine, close }: { engine: string; close: () => void }) {
  const queries = useQueryClient();
  return (
    <SchemaDialog
      title="Add a version"
      action="Add"
      fields={FIELDS}
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
