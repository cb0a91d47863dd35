import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { useAttempt } from '../../kit/attempt.ts';
import { Button } from '../../kit/button.tsx';
import { ConfirmByName } from '../../kit/confirm.tsx';
import { FailureNotice } from '../../kit/failure-notice.tsx';
import kit from '../../kit/kit.module.css';
import { SchemaDialog } from '../../schema-form/schema-dialog.tsx';
import { enginePath, type Version } from './queries.ts';

const REASON = [
  { name: 'deprecated-reason', description: 'Whoever uses the version reads it.', maxLength: 4096 },
];

export function VersionActions({ engine, version }: { engine: string; version: Version }) {
  const change = useChange(engine, version);
  const [dialog, setDialog] = useState<'deprecate' | 'delete' | null>(null);
  const { busy, failure, attempt } = useAttempt();
  const { version: name, enabled, deprecated } = version.attributes;
  return (
    <>
      <div className={kit.row}>
        <Button
          busy={busy}
          aria-label={`${enabled ? 'Disable' : 'Enable'} ${name}`}
          onClick={() => void attempt(() => change.set({ enabled: !enabled }))}
        >
          {enabled ? 'Disable' : 'Enable'}
        </Button>
        {deprecated ? (
          <Button
            busy={busy}
            title="It is no longer deprecated"
            aria-label={`Undo the deprecation of ${name}`}
            onClick={() => void attempt(() => change.set({ deprecated: false }))}
          >
            Undo
          </Button>
        ) : (
          <Button aria-label={`Deprecate ${name}`} onClick={() => setDialog('deprecate')}>
            Deprecate…
          </Button>
        )}
        <Button kind="danger" aria-label={`Delete ${name}`} onClick={() => setDialog('delete')}>
          Delete…
        </Button>
      </div>
      {failure ? <FailureNotice failure={failure} /> : null}
      {dialog ? (
        <VersionDialog kind={dialog} engine={engine} version={version} close={() => setDialog(null)} />
      ) : null}
    </>
  );
}

function VersionDialog({
  kind,
  engine,
  version,
  close,
}: {
  kind: 'deprecate' | 'delete';
  engine: string;
  version: Version;
  close: () => void;
}) {
  const change = useChange(engine, version);
  const { version: name, usage } = version.attributes;
  if (kind === 'deprecate')
    return (
      <SchemaDialog
        title={`Deprecate ${name}`}
        action="Deprecate"
        fields={REASON}
        close={close}
        carryOut={(reason) => change.set({ ...reason, deprecated: true })}
      />
    );
  return (
    <ConfirmByName
      title={`Delete ${name}`}
      name={name}
      action="Delete"
      close={close}
      call={{ method: 'DELETE', path: change.path }}
      carryOut={change.remove}
    >
      <p>
        {usage === 0
          ? 'Nothing uses this version.'
          : `${usage} use this version: deleting it is refused while they do.`}
      </p>
    </ConfirmByName>
  );
}

function useChange(engine: string, { id }: Version) {
  const queries = useQueryClient();
  const path = `${enginePath(engine)}/${id}`;
  const refresh = () => queries.invalidateQueries({ queryKey: ['versions'] });
  return {
    path,
    set: async (attributes: Record<string, unknown>): Promise<void> => {
      await call('PATCH', path, { body: { data: { id, type: engine, attributes } } });
      await refresh();
    },
    remove: async (): Promise<void> => {
      await call('DELETE', path);
      await refresh();
    },
  };
}
