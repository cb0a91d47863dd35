import { SESSION_IDLE_SECONDS, SESSION_SECONDS } from '../../../libs/store/access/sessions.ts';
import type { SessionAnswer } from '../contract/answers.ts';
import type { Caller } from '../access/caller.ts';

/** A browser's session: who it acts for, what its pages must send along, and when it ends at the latest. */
export function presentSession({ token, session }: Caller, csrf: string): SessionAnswer {
  const started = session?.created_at.getTime() ?? Date.now();
  const ends = [started + SESSION_SECONDS * 1000, token.ends_at?.getTime() ?? Infinity];
  return {
    csrf,
    accessor: token.accessor,
    display_name: token.display_name,
    policies: token.policies,
    namespace_path: token.namespace_path === '' ? '' : `${token.namespace_path}/`,
    created_time: new Date(started).toISOString(),
    expire_time: new Date(Math.min(...ends)).toISOString(),
    idle_seconds: SESSION_IDLE_SECONDS,
  };
}
