import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { useAttempt } from '../../kit/attempt.ts';
import { Button } from '../../kit/button.tsx';
import { ConfirmByName } from '../../kit/confirm.tsx';
import { FailureNotice } from '../../kit/failure-notice.tsx';
import kit from '../../kit/kit.module.css';
import { Table } from '../../kit/table.tsx';
import { Time } from '../../kit/time.tsx';
import { SchemaDialog } from '../../schema-form/schema-dialog.tsx';
import { enginePath, type Version } from './queries.ts';

const REASON = [
  { name: 'deprecated-reason', description: 'Whoever uses the version reads it.', maxLength: 4096 },
];

/** The versions of an engine with what may be done about each. */
export function VersionTable({ engine, versions }: { engine: string; versions: Version[] }) {
  return (
    <Table heads={['Version', 'State', 'Used by', 'Added']} actions>
      {versions.map((version) => (
        <Row key={version.id} engine={engine} version={version} />
      ))}
    </Table>
  );
}

function Row({ engine, version }: { engine: string; version: Version }) {
  const { version: name, usage, archs, ...state } = version.attributes;
  return (
    <tr>
      <td>
        <strong>{name}</strong>
        <p className={`${kit.small} ${kit.muted}`}>{archs.map(({ arch }) => arch).join(', ')}</p>
      </td>
      <td>
        <State state={state} />
      </td>
      <td>{usage === 0 ? <span className={kit.muted}>nothing</span> : usage.toLocaleString('en')}</td>
      <td className={kit.whole}>
        <Time at={state['created-at']} />
      </td>
      <td>
        <Actions engine={engine} version={version} />
      </td>
    </tr>
  );
}

type StateProps = Pick<
  Version['attributes'],
  'enabled' | 'deprecated' | 'deprecated-reason' | 'beta' | 'official'
>;

function State({ state }: { state: StateProps }) {
  return (
    <>
      <div className={kit.row}>
        <span className={`${kit.chip} ${state.enabled ? kit.ok : ''}`}>
          {state.enabled ? 'Enabled' : 'Disabled'}
        </span>
        {state.deprecated ? <span className={`${kit.chip} ${kit.limited}`}>Deprecated</span> : null}
        {state.beta ? <span className={kit.chip}>Beta</span> : null}
        {state.official ? <span className={kit.chip}>Official</span> : null}
      </div>
      {state['deprecated-reason'] ? <p className={kit.muted}>{state['deprecated-reason']}</p> : null}
    </>
  );
}

function Actions({ engine, version }: { engine: string; version: Version }) {
  const queries = useQueryClient();
  const [dialog, setDialog] = useState<'deprecate' | 'delete' | null>(null);
  const { busy, failure, attempt } = useAttempt();
  const { version: name, enabled, deprecated, usage } = version.attributes;
  const path = `${enginePath(engine)}/${version.id}`;
  const refresh = () => queries.invalidateQueries({ queryKey: ['versions'] });
  const set = async (attributes: Record<string, unknown>): Promise<void> => {
    await call('PATCH', path, { body: { data: { id: version.id, type: engine, attributes } } });
    await refresh();
  };
  const close = () => setDialog(null);
  return (
    <>
      <div className={kit.row}>
        <Button
          busy={busy}
          aria-label={`${enabled ? 'Disable' : 'Enable'} ${name}`}
          onClick={() => void attempt(() => set({ enabled: !enabled }))}
        >
          {enabled ? 'Disable' : 'Enable'}
        </Button>
        {deprecated ? (
          <Button
            busy={busy}
            title="It is no longer deprecated"
            aria-label={`Undo the deprecation of ${name}`}
            onClick={() => void attempt(() => set({ deprecated: false }))}
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
      {dialog === 'deprecate' ? (
        <SchemaDialog
          title={`Deprecate ${name}`}
          action="Deprecate"
          fields={REASON}
          close={close}
          carryOut={(reason) => set({ ...reason, deprecated: true })}
        />
      ) : null}
      {dialog === 'delete' ? (
        <ConfirmByName
          title={`Delete ${name}`}
          name={name}
          action="Delete"
          close={close}
          carryOut={async () => {
            await call('DELETE', path);
            await refresh();
          }}
        >
          <p>
            {usage === 0
              ? 'Nothing uses this version.'
              : `${usage} use this version: deleting it is refused while they do.`}
          </p>
        </ConfirmByName>
      ) : null}
    </>
  );
}
