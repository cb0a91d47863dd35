import type { PolicyEngineVersionAnswer } from '../../../../api/contract/administration.ts';
import { useAttempt } from '../../kit/attempt.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { Refusal } from '../../kit/refusing/refusal.tsx';
import { Beside } from '../../schema-form/meanwhile/beside.tsx';
import { FIELDS } from './fields.ts';
import type { VersionChange } from './version-change.ts';

/** Shows what someone else changed meanwhile beside the user's own change, and makes that change only if the user confirms it. */
export function Overtaken({
  version,
  change,
}: {
  version: PolicyEngineVersionAnswer;
  change: VersionChange;
}) {
  const { failure, attempt } = useAttempt();
  if (!change.overtaken) return null;
  const { before, yours } = change.overtaken;
  const { revision, 'changed-at': changedAt, 'changed-by': changedBy } = version.meta;
  return (
    <Dialog title={`${version.attributes.version} was changed by someone else`} close={change.giveUp}>
      <Beside
        fields={FIELDS}
        before={before.attributes}
        theirs={{ revision, changed_at: changedAt, changed_by: changedBy, values: version.attributes }}
        yours={yours}
        call={change.callOf(yours)}
        goOn={() => void attempt(() => change.set(yours))}
        giveUp={change.giveUp}
      />
      <Refusal failure={failure} />
    </Dialog>
  );
}
