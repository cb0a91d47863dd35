import { randomUUID } from 'node:crypto';
import type {
  Connector,
  EntryKey,
  Found,
  PutEntry,
  Session,
  Written,
} from '../../../libs/connector/contract.ts';
import { ConnectorError } from '../../../libs/connector/errors.ts';
import { createAccess } from './access.ts';
import { createClient, unexpectedBody } from './client.ts';
import { destination } from './destination.ts';
import { createKeyHolder, sealFor, type PublicKey } from './public-key.ts';
import { fromReference, readTimes, toReference } from './write-times.ts';

// GitHub tells times in whole seconds.
const RESOLUTION_MS = 1000;

/** The verbs of GitHub Actions secrets: values go in sealed and never come back. */
export const connector: Connector<typeof destination.settings> = {
  open(settings, context): Session {
    const client = createClient(settings, context);
    const keys = createKeyHolder(client);
    const access = createAccess(client, keys);
    const pathOf = (name: string) => `${client.secretsPath}/${encodeURIComponent(name)}`;

    async function send(entry: PutEntry, key: PublicKey, signal: AbortSignal): Promise<Written> {
      const body = { encrypted_value: await sealFor(key, entry.value), key_id: key.id };
      // 201 to an update means that somebody deleted the secret; it holds the value again, which was the aim.
      const sent = await client.call('PUT', pathOf(entry.name), { signal, body, expected: [201, 204] });
      access.note();
      const isNew = sent.status === 201;
      return { reference: await learnTimes(entry, { isNew, writtenAt: sent.date }, signal) };
    }

    // What our write left. It has had its effect: where the times cannot be had, less is known of it, and nothing fails.
    async function learnTimes(
      { name, reference }: EntryKey,
      write: { isNew: boolean; writtenAt: string | undefined },
      signal: AbortSignal,
    ): Promise<string | null> {
      const former = write.isNew ? null : fromReference(reference);
      const unknown = former ? toReference({ ...former, updatedAt: null }) : null;
      try {
        const { status, data } = await client.call('GET', pathOf(name), { signal, expected: [200, 404] });
        const times = status === 200 ? readTimes(data) : undefined;
        // A copy that is older than the write tells nothing of it.
        const from = Date.parse(write.writtenAt ?? '') - 2 * RESOLUTION_MS;
        const isStale = !times || Date.parse(times.updatedAt) < from;
        return isStale ? unknown : toReference(times);
      } catch {
        return unknown;
      }
    }

    async function put(entry: PutEntry, signal: AbortSignal): Promise<Written> {
      const key = await keys.current(signal);
      try {
        return await send(entry, key, signal);
      } catch (error) {
        if (!isRefusedSecret(error)) throw error;
        // The store does not say which fault it found; only another key makes a second try worth it.
        const renewed = await keys.renew(key.id, signal);
        if (renewed.id === key.id) throw await explainRefusal(error, signal);
        return send(entry, renewed, signal);
      }
    }

    async function explainRefusal(error: ConnectorError, signal: AbortSignal): Promise<ConnectorError> {
      const most = destination.limits.entries ?? Infinity;
      const { data } = await client.call('GET', `${client.secretsPath}?per_page=1`, {
        signal,
        expected: [200],
      });
      const { total_count: total } = data;
      if (typeof total !== 'number' || total < most) return error;
      return new ConnectorError({
        kind: 'client',
        code: 'too_many_entries',
        message: `${client.place} already holds ${total} secrets, the most GitHub allows; delete some there.`,
        ...(error.requestId === undefined ? {} : { requestId: error.requestId }),
      });
    }

    async function find({ name, reference }: EntryKey, signal: AbortSignal): Promise<Found | null> {
      const { status, data } = await client.call('GET', pathOf(name), { signal, expected: [200, 404] });
      if (status === 404) {
        await access.prove(signal);
        return null;
      }
      if (typeof data['name'] !== 'string') throw unexpectedBody();
      access.note();
      const times = readTimes(data);
      const ours = fromReference(reference);
      const isSame = times && ours && times.createdAt === ours.createdAt;
      return {
        // Without the times of our own write the ledger alone can say.
        owner: !times || !ours ? 'unmarked' : isSame ? 'ours' : 'other',
        value: null,
        changedAt: times ? new Date(times.updatedAt) : null,
        isChangedByOthers: isSame && ours.updatedAt ? times.updatedAt !== ours.updatedAt : null,
        reference: isSame || !times ? reference : toReference({ ...times, updatedAt: null }),
      };
    }

    return {
      async check(signal) {
        await access.prove(signal, { fresh: true });
        // Nothing but a write tells whether the token may write: delete what cannot exist.
        const name = `SEALIFT_CHECK_${randomUUID().replaceAll('-', '_').toUpperCase()}`;
        await client.call('DELETE', pathOf(name), { signal, expected: [204, 404] });
      },

      findOwner: find,
      read: find,

      async put(entry, signal) {
        try {
          return await put(entry, signal);
        } catch (error) {
          throw await access.explain(error, signal);
        }
      },

      async remove({ name }, signal) {
        const { status } = await client.call('DELETE', pathOf(name), { signal, expected: [204, 404] });
        if (status === 204) return access.note();
        try {
          await access.prove(signal, { fresh: true });
        } catch (error) {
          // Its secrets went with the environment.
          if (error instanceof ConnectorError && error.code === 'environment_not_found') return;
          throw error;
        }
      },

      close: client.close,
    };
  },
};

function isRefusedSecret(error: unknown): error is ConnectorError {
  return error instanceof ConnectorError && error.code === 'secret_refused';
}
