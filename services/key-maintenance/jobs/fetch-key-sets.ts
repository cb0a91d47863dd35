import pLimit from 'p-limit';
import { listSetting } from '../../../libs/config/config.ts';
import { listKeySources, noteFetchFault, storeFetched } from '../../../libs/store/auth/key-sets.ts';
import { fetchKeySet, KeySetError } from '../key-sets/fetch.ts';
import type { Work } from '../job.ts';

const MOST_AT_ONCE = 10;

/** Fetches the keys of the issuers whose tokens log machines in. Those of an issuer that is away stay for a day. */
export const fetchKeySets: Work = {
  name: 'fetch-key-sets',
  description: 'Fetch the keys of the issuers of auth methods',
  run: async ({ services, change, signal, report }) => {
    const { db, config } = services;
    const sources = await listKeySources(db);
    const summary = { sources: sources.length, changed: 0, problems: 0 };
    const limit = pLimit(MOST_AT_ONCE);
    const refresh = async (one: (typeof sources)[number]): Promise<void> => {
      if (signal.aborted) return;
      try {
        const keySet = await fetchKeySet(one.source, listSetting(config.EGRESS_ALLOW));
        const changed = await change((transaction) => storeFetched(transaction, one, keySet));
        summary.changed += changed;
      } catch (error) {
        if (!(error instanceof KeySetError)) throw error;
        summary.problems += 1;
        report({ auth_mount: one.mountId, fault: error.message });
        await noteFetchFault(db, one.mountId, error.message);
      }
    };
    await Promise.all(sources.map((one) => limit(refresh, one)));
    return summary;
  },
};
