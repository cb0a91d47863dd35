import { lazy, Suspense, useState } from 'react';
import { actorText } from '../../../../../../libs/telling/actor.ts';
import type { SecretMetadataAnswer } from '../../../../../api/contract/secrets.ts';
import { pathOf } from '../../../api/client.ts';
import kit from '../../../kit/kit.module.css';
import { GuardedButton } from '../../../kit/rights/guarded-button.tsx';
import { ACTIONS, Table } from '../../../kit/table.tsx';
import { Time } from '../../../kit/time.tsx';
import type { SecretName } from '../split-path.ts';
import { ChangeVersion, changeOfVersion } from './change-version.tsx';
import { rollbackOf } from './rollback-of.ts';
import { isDeleted, liveVersions, type VersionAct } from './standing.ts';

const RollBack = lazy(async () => ({ default: (await import('./roll-back.tsx')).RollBack }));

type Version = SecretMetadataAnswer['versions'][string];
type Chosen = { version: number; act: VersionAct | 'roll back' };

const LABELS: [act: VersionAct, label: string, kind?: 'danger'][] = [
  ['delete', 'Delete…'],
  ['undelete', 'Undelete…'],
  ['destroy', 'Destroy…', 'danger'],
];

/** All versions of a secret, newest first, and what can be done with each. */
export function SecretVersions({
  secret,
  metadata,
  shown,
  show,
  compare,
}: {
  secret: SecretName;
  metadata: SecretMetadataAnswer;
  shown: number;
  show: (version: number) => void;
  /** Compares a version with another one. */
  compare: (version: number) => void;
}) {
  const [chosen, choose] = useState<Chosen | null>(null);
  const live = liveVersions(metadata);
  const versions = Object.entries(metadata.versions)
    .map(([number, version]) => ({ number: Number(number), version }))
    .toSorted((left, right) => right.number - left.number);
  return (
    <section className={`${kit.stack} ${kit.tight}`} aria-labelledby="versions">
      <h2 id="versions">Versions</h2>
      <Table columns={['Version', 'Written', 'State', ACTIONS]}>
        {versions.map(({ number, version }) => (
          <VersionRow
            key={number}
            secret={secret}
            number={number}
            version={version}
            current={metadata.current_version}
            isComparable={live.some((other) => other !== number)}
            shown={shown}
            show={show}
            compare={compare}
            choose={choose}
          />
        ))}
      </Table>
      <ChosenDialog secret={secret} metadata={metadata} of={chosen} close={() => choose(null)} />
    </section>
  );
}

function VersionRow({
  secret,
  number,
  version,
  current,
  isComparable,
  shown,
  show,
  compare,
  choose,
}: {
  secret: SecretName;
  number: number;
  version: Version;
  current: number;
  isComparable: boolean;
  shown: number;
  show: (version: number) => void;
  compare: (version: number) => void;
  choose: (chosen: Chosen) => void;
}) {
  const isLive = !version.destroyed && !isDeleted(version);
  const isOld = isLive && number !== current;
  return (
    <tr>
      <td>v{number}</td>
      <td>
        <Created of={version} />
      </td>
      <td>
        <State of={version} />
      </td>
      <td>
        <div className={kit.row}>
          {isLive && number !== shown ? (
            <GuardedButton
              call={{ method: 'GET', path: `${pathOf(secret.mount)}/subkeys/${pathOf(secret.path)}` }}
              aria-label={`Show keys of version ${number}`}
              onClick={() => show(number)}
            >
              Show keys
            </GuardedButton>
          ) : null}
          {isOld && isComparable ? <CompareButton secret={secret} number={number} compare={compare} /> : null}
          {isOld ? (
            <GuardedButton
              call={rollbackOf(secret, number, current)}
              aria-label={`Roll back to version ${number}`}
              onClick={() => choose({ version: number, act: 'roll back' })}
            >
              Roll back…
            </GuardedButton>
          ) : null}
          <VersionActs secret={secret} number={number} version={version} choose={choose} />
        </div>
      </td>
    </tr>
  );
}

function CompareButton({
  secret,
  number,
  compare,
}: {
  secret: SecretName;
  number: number;
  compare: (version: number) => void;
}) {
  return (
    <GuardedButton
      call={{ method: 'GET', path: `${pathOf(secret.mount)}/diff/${pathOf(secret.path)}` }}
      aria-label={`Compare version ${number}`}
      onClick={() => compare(number)}
    >
      Compare
    </GuardedButton>
  );
}

function VersionActs({
  secret,
  number,
  version,
  choose,
}: {
  secret: SecretName;
  number: number;
  version: Version;
  choose: (chosen: Chosen) => void;
}) {
  return LABELS.filter(([act]) => isPossible(act, version)).map(([act, label, kind]) => (
    <GuardedButton
      key={act}
      {...(kind ? { kind } : {})}
      call={changeOfVersion(secret, number, act)}
      aria-label={`${label.replace('…', '')} version ${number}`}
      onClick={() => choose({ version: number, act })}
    >
      {label}
    </GuardedButton>
  ));
}

function isPossible(act: VersionAct, version: Version): boolean {
  if (version.destroyed) return false;
  if (act === 'destroy') return true;
  return isDeleted(version) === (act === 'undelete');
}

function Created({ of: { created_time: time, created_by: by } }: { of: Version }) {
  return (
    <>
      <Time at={time} />
      {by ? <p className={`${kit.small} ${kit.muted}`}>by {actorText(by.actor)}</p> : null}
    </>
  );
}

function State({ of: version }: { of: Version }) {
  if (version.destroyed) return 'destroyed';
  if (version.deletion_time === '') return 'live';
  return isDeleted(version) ? (
    <>
      deleted <Time at={version.deletion_time} />
      {version.deleted_by ? ` by ${actorText(version.deleted_by.actor)}` : ''}
    </>
  ) : (
    <>
      live, will be deleted <Time at={version.deletion_time} />
    </>
  );
}

function ChosenDialog({
  secret,
  metadata,
  of,
  close,
}: {
  secret: SecretName;
  metadata: SecretMetadataAnswer;
  of: Chosen | null;
  close: () => void;
}) {
  if (!of) return null;
  const { version, act } = of;
  return act === 'roll back' ? (
    <Suspense fallback={null}>
      <RollBack secret={secret} version={version} current={metadata.current_version} close={close} />
    </Suspense>
  ) : (
    <ChangeVersion secret={secret} metadata={metadata} version={version} act={act} close={close} />
  );
}
