import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SecretMetadataAnswer } from '../../../../../api/contract/secrets.ts';
import { carryOut } from '../../../api/client.ts';
import { metadataQuery } from '../../../api/queries.ts';
import { FormDialog } from '../../../kit/form-dialog.tsx';
import kit from '../../../kit/kit.module.css';
import { Notice } from '../../../kit/notice.tsx';
import { counted } from '../../../kit/text/counted.ts';
import { isSame, sortFaults } from '../../../schema-form/fields.ts';
import { editsBetween, rebased, useBegun } from '../../../schema-form/meanwhile/begun.tsx';
import type { SecretName } from '../split-path.ts';
import { CustomMetadata, faultOfPair, mergeOf, pairsOf, patchOfPairs } from './custom-metadata.tsx';
import { droppedBy, keptVersions } from './dropped.tsx';
import { metadataPatch, useInherited, type Inherited } from './inherited.ts';
import {
  changedLimits,
  checkLimits,
  LimitFields,
  TYPED_LIMITS,
  typedLimits,
  valuesOfLimits,
  type TypedLimits,
} from './limit-fields.tsx';

type Props = { secret: SecretName; metadata: SecretMetadataAnswer; close: () => void };

/** Changes the limits of a secret and its custom metadata. */
export function EditSettings({ secret, metadata, close }: Props) {
  const queries = useQueryClient();
  const inherited = useInherited(secret.mount);
  const { limits, setLimits, pairs, setPairs, changes, meanwhile } = useTyped(secret, metadata, close);
  const call = metadataPatch(secret, changes);
  const dropped = countDropped(metadata, limits.most, inherited.number);
  return (
    <FormDialog
      title={`Metadata of ${secret.path}`}
      action="Save"
      isReady={Object.keys(changes).length > 0}
      lacks={pairs.some((one) => faultOfPair(one, pairs) !== '') ? 'The custom metadata has a fault.' : ''}
      call={call}
      close={close}
      meanwhile={meanwhile}
      carryOut={async () => {
        checkLimits(limits);
        await carryOut(call);
        await queries.invalidateQueries();
      }}
    >
      {(failure) => {
        const { byField, ...faults } = sortFaults(failure, TYPED_LIMITS);
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

function useTyped({ mount, path }: SecretName, metadata: SecretMetadataAnswer, close: () => void) {
  const queries = useQueryClient();
  const [opened] = useState(metadata);
  const [limits, setLimits] = useState(() => typedLimits(metadata));
  const [pairs, setPairs] = useState(() => pairsOf(customOf(metadata)));
  const { begun, meanwhile } = useBegun({
    fields: FIELDS,
    stored: metadata,
    describe: (stored) => ({
      values: valuesOf(typedLimits(stored), customOf(stored)),
      // Whoever saves or deletes a version updates the secret too.
      ...(isSame(stored.versions, opened.versions)
        ? { changed_by: stored.last_updated_by?.actor ?? null, changed_at: stored.updated_time }
        : {}),
    }),
    reread: () => queries.fetchQuery({ ...metadataQuery(mount, path), staleTime: 0 }),
    yoursOver: (stored) =>
      editsBetween(
        valuesOf(typedLimits(stored), customOf(stored)),
        valuesOf(limits, mergeOf({}, patchOfPairs({}, pairs))),
      ),
    rebase: (theirs, before) => {
      setLimits(rebased(limits, { before: typedLimits(before), now: typedLimits(theirs) }));
      setPairs(pairsOf(mergeOf(customOf(theirs), patchOfPairs(customOf(before), pairs))));
    },
    close,
  });
  const custom = patchOfPairs(customOf(begun), pairs);
  const changes = {
    ...changedLimits(typedLimits(begun), limits),
    ...(Object.keys(custom).length > 0 ? { custom_metadata: custom } : {}),
  };
  return { limits, setLimits, pairs, setPairs, changes, meanwhile };
}

const FIELDS = [...TYPED_LIMITS, { name: 'custom_metadata', title: 'Custom metadata' }];

const customOf = ({ custom_metadata: custom }: SecretMetadataAnswer): Record<string, string> => custom ?? {};

const valuesOf = (limits: TypedLimits, custom: Record<string, string>): Record<string, unknown> => ({
  ...valuesOfLimits(limits),
  custom_metadata: custom,
});

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

// How many versions the next change deletes, if they are more than it deletes anyway. The API refuses what is no number.
function countDropped(metadata: SecretMetadataAnswer, most: string, ofMount: number): number {
  if (!/^\d{0,9}$/.test(most.trim())) return 0;
  const countOf = (own: number): number => droppedBy(metadata, keptVersions(own, ofMount)).length;
  const after = countOf(Number(most));
  return after > countOf(metadata.max_versions) ? after : 0;
}
