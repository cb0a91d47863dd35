import { useQueries, useQuery } from '@tanstack/react-query';
import type { DestinationAnswer } from '../../../../../api/contract/destinations.ts';
import type { SecretMetadataAnswer } from '../../../../../api/contract/secrets.ts';
import { destinationQuery, syncedToQuery } from '../../../api/queries.ts';
import { useStoreName } from '../../../api/vendors.ts';
import kit from '../../../kit/kit.module.css';
import { Notice } from '../../../kit/notice.tsx';
import { entriesOf, storesOf, useHindrances, type Hindrance } from '../reach/hindrance.ts';
import type { SecretName } from '../split-path.ts';
import { UnseenLinks } from '../reach/unseen-links.tsx';
import { standingVersion } from './standing.ts';

type Consequence = { store: string; text: string; isLoss: boolean; isChange: boolean };

/** What a change of a secret does at each of its destinations. */
export type Consequences = {
  isPending: boolean;
  failure: unknown;
  stores: Consequence[];
  /** Entries are deleted somewhere, or nobody knows. */
  isLosing: boolean;
};

function useDestinations(secret: SecretName) {
  const links = useQuery(syncedToQuery(secret.mount, secret.path));
  const names = storesOf(links.data ?? []);
  const destinations = useQueries({
    queries: names.map((store) => {
      const [type = '', name = ''] = store.split('/');
      return destinationQuery(type, name);
    }),
  });
  return { links, names, destinations };
}

/** Says which version its destinations get while the newest one is gone. */
export function StandingNow({ secret, metadata }: { secret: SecretName; metadata: SecretMetadataAnswer }) {
  const nameOf = useStoreName();
  const { links, names, destinations } = useDestinations(secret);
  const hindrances = useHindrances(links.data ?? []);
  const standing = names.flatMap((store, index) => {
    const options = destinations[index]?.data?.options;
    if (!options) return [];
    const version = standingVersion(metadata, options.on_latest_deleted);
    const behind = entriesOf(links.data ?? [], store).filter(
      ({ sync_status: status }) => status !== 'SYNCED',
    );
    return [{ store, version, hindrance: behind.length > 0 ? hindrances.get(store) : undefined }];
  });
  if (standing.length === 0) return null;
  return (
    <>
      <p>Without v{metadata.current_version}, its destinations get:</p>
      <ul>
        {standing.map(({ store, version, hindrance }) => (
          <li key={store}>
            <strong>{nameOf(store)}</strong>: {standingText(version, hindrance)}
          </li>
        ))}
      </ul>
    </>
  );
}

function standingText(version: number | null, hindrance: Hindrance | undefined): string {
  const { foreign = 'none', decision = null, once = '', onceDeleted = '', except = '' } = hindrance ?? {};
  if (hindrance?.unlinking) return `no version: ${hindrance.unlinking}`;
  if (version === null) return `no version${onceDeleted && `: its entries are deleted${onceDeleted}`}`;
  if (foreign === 'all' && !decision) return 'nothing, because the entry there isn’t Sealift’s';
  const but = foreign === 'some' && !decision ? ', except over entries that aren’t Sealift’s' : '';
  return `v${version}${once}${but}${except}`;
}

/** `after`: the secret as it would be; null: it would be gone. */
export function useConsequences(
  secret: SecretName,
  metadata: SecretMetadataAnswer,
  after: SecretMetadataAnswer | null,
): Consequences {
  const { links, names, destinations } = useDestinations(secret);
  const hindrances = useHindrances(links.data ?? []);
  const stores = names.map((store, index) =>
    consequenceAt(store, destinations[index]?.data?.options, hindrances.get(store), metadata, after),
  );
  return {
    isPending: links.isPending || destinations.some(({ isPending }) => isPending),
    failure: links.error,
    stores,
    isLosing: links.error !== null || stores.some(({ isLoss }) => isLoss),
  };
}

function consequenceAt(
  store: string,
  options: DestinationAnswer['options'] | undefined,
  hindrance: Hindrance | undefined,
  metadata: SecretMetadataAnswer,
  after: SecretMetadataAnswer | null,
): Consequence {
  if (!options)
    return { store, text: 'unknown: you may not read its settings', isLoss: true, isChange: true };
  const now = standingVersion(metadata, options.on_latest_deleted);
  const next = after && standingVersion(after, options.on_latest_deleted);
  if (next === now) {
    const text = now === null ? 'no change: nothing is there' : `no change: v${now} stays`;
    return { store, text, isLoss: false, isChange: false };
  }
  const { foreign = 'none', decision = null, once = '', onceDeleted = '', except = '' } = hindrance ?? {};
  const { unlinking = '', isChanged = false } = hindrance ?? {};
  const lost = isChanged ? ', together with what someone changed there' : '';
  const isKept = next === null && options.deletion_policy === 'retain';
  if (isKept)
    return {
      store,
      text: `${keptText(now, hindrance)} stays, because of its deletion policy`,
      isLoss: false,
      isChange: false,
    };
  if (next !== null && unlinking)
    return { store, text: `no new version: ${unlinking}`, isLoss: false, isChange: false };
  if (next !== null && decision)
    return {
      store,
      text: `v${next} will be written${decision.where}${once}, because ${decision.text}`,
      isLoss: false,
      isChange: true,
    };
  if (foreign === 'all')
    return { store, text: 'no change: the entry there isn’t Sealift’s', isLoss: false, isChange: false };
  const but = foreign === 'some' ? ', except those that aren’t Sealift’s' : '';
  return next === null
    ? {
        store,
        text: `entries that Sealift wrote there will be deleted${onceDeleted}${but}${lost}${unlinking && `: ${unlinking}`}`,
        isLoss: true,
        isChange: true,
      }
    : {
        store,
        text: `v${next} will be written${once}${overOf(now, isChanged, options)}${foreign === 'some' ? ', except over entries that aren’t Sealift’s' : ''}${except}`,
        isLoss: isChanged,
        isChange: true,
      };
}

function keptText(now: number | null, hindrance: Hindrance | undefined): string {
  return hindrance?.isChanged ? 'what someone changed there' : `v${now}`;
}

// Nobody has looked yet at what is there now under the name of an entry that was deleted.
function overOf(now: number | null, isChanged: boolean, options: DestinationAnswer['options']): string {
  if (isChanged) return ', over what someone changed there';
  return now === null && options.conflict_policy === 'refuse'
    ? ', unless somebody else’s entry has its name by now'
    : '';
}

/** Says it, one line for each destination. */
export function ConsequenceList({ of: { isPending, failure, stores } }: { of: Consequences }) {
  const nameOf = useStoreName();
  if (failure)
    return (
      <UnseenLinks
        failure={failure}
        effect="If it is linked, its entries there change, too, or are deleted."
      />
    );
  if (isPending) return <p className={kit.muted}>Checking where this secret is linked…</p>;
  if (stores.length === 0) return <p className={kit.muted}>Not linked to any destination.</p>;
  return (
    <Notice tone={stores.some(({ isChange }) => isChange) ? 'limited' : 'info'}>
      <p>At its destinations:</p>
      <ul>
        {stores.map(({ store, text }) => (
          <li key={store}>
            <strong>{nameOf(store)}</strong>: {text}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
