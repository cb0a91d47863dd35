import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { PolicyEngineVersionAnswer } from '../../../../api/contract/administration.ts';
import { carryOut, ifRevision } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import { isOvertaking } from '../../api/failure.ts';
import { enginePath } from './queries.ts';

export type VersionChange = ReturnType<typeof useVersionChange>;

/**
 * Changes a version only if it is still as the user sees it. `overtaken`: someone else changed it meanwhile; null if
 * nobody did.
 */
export function useVersionChange(engine: string, version: PolicyEngineVersionAnswer) {
  const { id, meta } = version;
  const queries = useQueryClient();
  const [overtaken, setOvertaken] = useState<{
    before: PolicyEngineVersionAnswer;
    yours: Record<string, unknown>;
  } | null>(null);
  const path = `${enginePath(engine)}/${id}`;
  const headers = ifRevision(meta.revision);
  const removal: Call = { method: 'DELETE', path, headers };
  const callOf = (attributes: Record<string, unknown>): Call => ({
    method: 'PATCH',
    path,
    body: { data: { id, type: engine, attributes } },
    headers,
  });
  const refresh = () => queries.invalidateQueries({ queryKey: ['versions'] });
  return {
    removal,
    callOf,
    overtaken,
    giveUp: () => setOvertaken(null),
    /** Sets `overtaken` if someone else was faster. Throws any other failure. */
    set: async (attributes: Record<string, unknown>): Promise<void> => {
      try {
        await carryOut(callOf(attributes));
        setOvertaken(null);
      } catch (error) {
        if (!isOvertaking(error)) throw error;
        setOvertaken({ before: version, yours: attributes });
      }
      await refresh();
    },
    remove: async (): Promise<void> => {
      try {
        await carryOut(removal);
      } finally {
        await refresh();
      }
    },
  };
}
