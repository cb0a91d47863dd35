/** Shapes of the story of a secret. There are only types here, so an import loads nothing. Times are RFC 3339. */

import type { CauseAnswer } from './answers.ts';

type Line = { at: string; by: string | null };

/** `version`: one that is still kept. `push`: an attempt at an entry in a store. All others come from the audit trail. */
export type StoryLineAnswer = Line &
  (
    | { kind: 'version'; version: number; deleted_at: string | null; destroyed: boolean }
    | {
        kind: 'push';
        destination: { type: string; name: string } | null;
        sub_key: string;
        action: string;
        version: number | null;
        outcome: string;
        cause: CauseAnswer | null;
        trigger: string | null;
      }
    | {
        kind: 'read' | 'reveal' | 'link' | 'unlink' | 'change';
        accessor: string | null;
        auth_method: string | null;
        address: string | null;
        action: string;
        path: string;
        outcome: string;
        status: number | null;
        request_id: string | null;
        detail: Record<string, unknown> | null;
      }
  );
