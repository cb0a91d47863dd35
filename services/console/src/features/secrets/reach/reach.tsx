import { useQuery } from '@tanstack/react-query';
import { syncedToQuery } from '../../../api/queries.ts';
import { useStoreName } from '../../../api/vendors.ts';
import kit from '../../../kit/kit.module.css';
import { Notice } from '../../../kit/notice.tsx';
import { counted } from '../../../kit/text/counted.ts';
import { storesOf, useHindrances, type Hindrance } from './hindrance.ts';
import { Dropped } from '../limits/dropped.tsx';
import type { SecretName } from '../split-path.ts';
import { UnseenLinks } from './unseen-links.tsx';

/** What a new version of a secret leads to: which old versions end, and which destinations get it. */
export function Reach({ secret, isRemoving }: { secret: SecretName; isRemoving: boolean }) {
  return (
    <>
      <Dropped secret={secret} />
      <Stores secret={secret} />
      {isRemoving ? <RemovedKeys secret={secret} /> : null}
    </>
  );
}

/** What becomes of keys in the stores that a new version of a secret doesn’t have. */
export function RemovedKeys({ secret }: { secret: SecretName }) {
  const { data } = useQuery(syncedToQuery(secret.mount, secret.path));
  if (data?.length === 0) return null;
  return (
    <p className={kit.muted}>
      Keys that you delete will be deleted at its destinations too. Where each key has its own entry, the
      entry will be deleted unless the deletion policy is <code>retain</code>.
    </p>
  );
}

/** Which destinations get a new version of a secret. */
export function Stores({ secret }: { secret: SecretName }) {
  const nameOf = useStoreName();
  const { data, error } = useQuery(syncedToQuery(secret.mount, secret.path));
  const hindrances = [...useHindrances(data ?? [])];
  if (error) return <UnseenLinks failure={error} effect="They get the new version, too." />;
  if (!data) return <p className={kit.muted}>Checking where this secret is linked…</p>;
  const free = hindrances.filter(
    ([, { foreign, once, except, unlinking }]) => foreign === 'none' && `${once}${except}${unlinking}` === '',
  );
  const hindered = hindrances.filter((one) => !free.includes(one));
  const changed = storesOf(data.filter(({ drift, unlinking }) => !unlinking && drift === 'changed_outside'));
  if (hindrances.length === 0) return <p className={kit.muted}>Not linked to any destination.</p>;
  return (
    <Notice tone="limited">
      {free.length > 0 ? (
        <p>
          The new version will be written to {counted(free.length, 'destination')} at once:{' '}
          <Names names={free.map(([store]) => nameOf(store))} />.
        </p>
      ) : null}
      {hindered.map(([store, hindrance]) => (
        <p key={store}>
          <strong>{nameOf(store)}</strong>: {describe(hindrance)}.
        </p>
      ))}
      {changed.length > 0 ? (
        <p>
          Someone changed the entry in <Names names={changed.map(nameOf)} />. The new version overwrites that,
          or ends as a conflict where the entry no longer counts as Sealift’s.
        </p>
      ) : null}
    </Notice>
  );
}

function describe({ foreign, decision, once, except, unlinking }: Hindrance): string {
  if (unlinking) return `${unlinking}, so the new version won’t be written there`;
  if (decision) return `${decision.text}, so the new version will be written there${decision.where}${once}`;
  if (foreign === 'all')
    return 'the entry there isn’t Sealift’s, so the new version is only written if somebody decides to adopt or overwrite that entry';
  return `the new version will be written${once || ' at once'}${foreign === 'some' ? ', except over entries that aren’t Sealift’s' : ''}${except}`;
}

function Names({ names }: { names: string[] }) {
  return names.map((name, index) => (
    <span key={name}>
      {index > 0 ? ', ' : ''}
      <strong>{name}</strong>
    </span>
  ));
}
