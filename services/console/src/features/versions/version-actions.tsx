import { useState } from 'react';
import type { PolicyEngineVersionAnswer } from '../../../../api/contract/administration.ts';
import { useAttempt } from '../../kit/attempt.ts';
import { ConfirmByName } from '../../kit/confirm.tsx';
import { Refusal } from '../../kit/refusing/refusal.tsx';
import { counted } from '../../kit/text/counted.ts';
import kit from '../../kit/kit.module.css';
import { Action } from '../../kit/rights/action.tsx';
import { GuardedButton } from '../../kit/rights/guarded-button.tsx';
import { SchemaDialog } from '../../schema-form/schema-dialog.tsx';
import { REASON } from './fields.ts';
import { Overtaken } from './overtaken.tsx';
import { useVersionChange, type VersionChange } from './version-change.ts';

export function VersionActions({ engine, version }: { engine: string; version: PolicyEngineVersionAnswer }) {
  const change = useVersionChange(engine, version);
  const [dialog, setDialog] = useState<'deprecate' | 'delete' | null>(null);
  const { busy, failure, attempt } = useAttempt();
  const { version: name, enabled, deprecated } = version.attributes;
  return (
    <>
      <div className={kit.row}>
        <Action
          call={change.callOf({ enabled: !enabled })}
          busy={busy}
          aria-label={`${enabled ? 'Disable' : 'Enable'} ${name}`}
          onClick={() => void attempt(() => change.set({ enabled: !enabled }))}
        >
          {enabled ? 'Disable' : 'Enable'}
        </Action>
        {deprecated ? (
          <Action
            call={change.callOf({ deprecated: false })}
            busy={busy}
            aria-label={`Undeprecate ${name}`}
            onClick={() => void attempt(() => change.set({ deprecated: false }))}
          >
            Undeprecate
          </Action>
        ) : (
          <GuardedButton
            call={change.callOf({})}
            aria-label={`Deprecate ${name}`}
            onClick={() => setDialog('deprecate')}
          >
            Deprecate…
          </GuardedButton>
        )}
        <GuardedButton
          call={change.removal}
          kind="danger"
          aria-label={`Delete ${name}`}
          onClick={() => setDialog('delete')}
        >
          Delete…
        </GuardedButton>
      </div>
      <Refusal failure={failure} />
      {dialog ? (
        <VersionDialog kind={dialog} change={change} version={version} close={() => setDialog(null)} />
      ) : null}
      {change.overtaken ? <Overtaken version={version} change={change} /> : null}
    </>
  );
}

function VersionDialog({
  kind,
  change,
  version,
  close,
}: {
  kind: 'deprecate' | 'delete';
  change: VersionChange;
  version: PolicyEngineVersionAnswer;
  close: () => void;
}) {
  const { version: name, usage } = version.attributes;
  if (kind === 'deprecate')
    return (
      <SchemaDialog
        title={`Deprecate ${name}`}
        action="Deprecate"
        fields={[REASON]}
        close={close}
        callOf={(reason) => change.callOf({ ...reason, deprecated: true })}
        carryOut={(reason) => change.set({ ...reason, deprecated: true })}
      />
    );
  return (
    <ConfirmByName
      title={`Delete ${name}`}
      name={name}
      action="Delete"
      close={close}
      call={change.removal}
      carryOut={change.remove}
    >
      <p>
        {usage === 0
          ? 'Nothing uses this version.'
          : `Used in ${counted(usage, 'place')}. A version in use can’t be deleted.`}
      </p>
    </ConfirmByName>
  );
}
