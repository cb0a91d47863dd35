import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { LimitsAnswer, SecretMetadataAnswer } from '../../../../../api/contract/secrets.ts';
import { carryOut, pathOf } from '../../../api/client.ts';
import type { Call } from '../../../api/curl.ts';
import { FormDialog } from '../../../kit/form-dialog.tsx';
import kit from '../../../kit/kit.module.css';
import { Notice } from '../../../kit/notice.tsx';
import { GuardedButton } from '../../../kit/rights/guarded-button.tsx';
import { counted } from '../../../kit/text/counted.ts';
import { sortFaults } from '../../../schema-form/fields.ts';
import { mountLimitsQuery } from '../queries.ts';
import type { SecretName } from '../split-path.ts';
import { CustomMetadata, faultOfPair, patchOfPairs, type Pair } from './custom-metadata.tsx';
import { droppedBy, keptVersions } from './dropped.tsx';
import { changedLimits, checkLimits, LimitFields, LIMITS, typedLimits } from './limit-fields.tsx';

type Props = { secret: SecretName; metadata: SecretMetadataAnswer };

/** `number`: the maximum of versions, 0 if the mount has none. */
type Inherited = { isKnown: boolean; most: string; number: number; after: string; cas: boolean };

/** The limits of a secret and its custom metadata, with a button that changes them. */
export function SecretSettings({ secret, metadata }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const inherited = useInherited(secret.mount);
  const limits = typedLimits(metadata);
  const custom = Object.entries(metadata.custom_metadata ?? {});
  return (
    <section className={`${kit.stack} ${kit.tight}`} aria-labelledby="metadata">
      <div className={`${kit.row} ${kit.spread}`}>
        <h2 id="metadata">Metadata</h2>
        <GuardedButton call={patchOf(secret, {})} onClick={() => setIsOpen(true)}>
          Change metadata…
        </GuardedButton>
      </div>
      <dl className={`${kit.card} ${kit.facts}`}>
        <dt>Maximum versions</dt>
        <dd>{metadata.max_versions > inherited.number ? limits.most : inherited.most}</dd>
        <dt>Check-and-set required</dt>
        <dd>{limits.cas ? 'yes' : inherited.cas ? 'yes (mount default)' : 'no'}</dd>
        <dt>Delete versions after</dt>
        <dd>{limits.after || inherited.after}</dd>
        {custom.map(([name, text]) => (
          <Fact key={name} name={name} text={text} />
        ))}
      </dl>
      {isOpen ? <EditSettings secret={secret} metadata={metadata} close={() => setIsOpen(false)} /> : null}
    </section>
  );
}

function Fact({ name, text }: { name: string; text: string }) {
  return (
    <>
      <dt>
        <code>{name}</code>
      </dt>
      <dd className={kit.mono}>{text}</dd>
    </>
  );
}

function EditSettings({ secret, metadata, close }: Props & { close: () => void }) {
  const queries = useQueryClient();
  const inherited = useInherited(secret.mount);
  // What the form began with: a later read must not change what the user is typing.
  const [before] = useState(() => ({
    limits: typedLimits(metadata),
    custom: metadata.custom_metadata ?? {},
  }));
  const [limits, setLimits] = useState(before.limits);
  const [pairs, setPairs] = useState<Pair[]>(() =>
    Object.entries(before.custom).map(([name, text]) => ({ name, text })),
  );
  const custom = patchOfPairs(before.custom, pairs);
  const changes = {
    ...changedLimits(before.limits, limits),
    ...(Object.keys(custom).length > 0 ? { custom_metadata: custom } : {}),
  };
  const call = patchOf(secret, changes);
  const dropped = countDropped(metadata, limits.most, inherited.number);
  return (
    <FormDialog
      title={`Metadata of ${secret.path}`}
      action="Save"
      isReady={Object.keys(changes).length > 0}
      lacks={pairs.some((one) => faultOfPair(one, pairs) !== '') ? 'The custom metadata has a fault.' : ''}
      call={call}
      close={close}
      carryOut={async () => {
        checkLimits(limits);
        await carryOut(call);
        await queries.invalidateQueries();
      }}
    >
      {(failure) => {
        const { byField, ...faults } = sortFaults(failure, LIMITS);
        const body = (
          <>
            <LimitFields typed={limits} change={setLimits} inherited={inherited} faults={byField} />
            <AboutMaximum typed={Number(limits.most)} inherited={inherited} dropped={dropped} />
            <CustomMetadata pairs={pairs} set={setPairs} />
          </>
        );
        return { body, ...faults };
      }}
    </FormDialog>
  );
}

function AboutMaximum({
  typed,
  inherited,
  dropped,
}: {
  typed: number;
  inherited: Inherited;
  dropped: number;
}) {
  return (
    <>
      {typed > 0 && typed < inherited.number ? (
        <p className={kit.muted}>
          The mount keeps {counted(inherited.number, 'version')} of each secret, and the larger number counts.
        </p>
      ) : null}
      {dropped > 0 ? (
        <Notice tone="limited">
          The next change of the secret {inherited.isKnown ? 'will' : 'may'} delete its{' '}
          {counted(dropped, 'oldest version', 'oldest versions')} for good.
        </Notice>
      ) : null}
    </>
  );
}

function patchOf({ mount, path }: SecretName, body: object): Call {
  return { method: 'PATCH', path: `${pathOf(mount)}/metadata/${pathOf(path)}`, body };
}

// How many versions the next change deletes, if they are more than it deletes anyway. The API refuses what is no number.
function countDropped(metadata: SecretMetadataAnswer, most: string, ofMount: number): number {
  if (!/^\d{0,9}$/.test(most.trim())) return 0;
  const countOf = (own: number): number => droppedBy(metadata, keptVersions(own, ofMount)).length;
  const after = countOf(Number(most));
  return after > countOf(metadata.max_versions) ? after : 0;
}

// What applies where the secret says nothing. People without a right to the mount's limits see no number.
function useInherited(mount: string): Inherited {
  const { data } = useQuery(mountLimitsQuery(mount));
  if (!data) return { isKnown: false, most: 'Mount default', number: 0, after: 'Mount default', cas: false };
  return { isKnown: true, ...describe(data), number: data.max_versions, cas: data.cas_required };
}

function describe({ max_versions: most, delete_version_after: after }: LimitsAnswer) {
  return {
    most: `${most === 0 ? 10 : most} (mount default)`,
    after: after === '0s' || after.startsWith('-') ? 'never' : `${after} (mount default)`,
  };
}
