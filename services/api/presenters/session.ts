import {
  SESSION_IDLE_SECONDS,
  SESSION_SECONDS,
  type ListedSession,
} from '../../../libs/store/access/sessions.ts';
import type { ListedSessionAnswer, SessionAnswer } from '../contract/sessions.ts';
import type { Caller } from '../access/caller.ts';

/** A browser session: whom it acts for, the CSRF token that its pages must send, and when it ends in any case. */
export function presentSession({ token, session }: Caller, csrf: string): SessionAnswer {
  const started = session?.created_at ?? new Date();
  const end = endOf(started, token.ends_at);
  const used = session?.last_used_at ?? started;
  return {
    csrf,
    accessor: token.accessor,
    display_name: token.display_name,
    policies: token.policies,
    namespace_path: token.namespace_path === '' ? '' : `${token.namespace_path}/`,
    browser: session?.browser ?? null,
    system: session?.system ?? null,
    address: session?.address ?? null,
    created_time: started.toISOString(),
    expire_time: end.toISOString(),
    idle_seconds: SESSION_IDLE_SECONDS,
    idle_remaining_seconds: secondsUntil(used.getTime() + SESSION_IDLE_SECONDS * 1000),
    remaining_seconds: secondsUntil(end.getTime()),
  };
}

/** A session as others see it; `isCurrent`: the request comes from this session. */
export function presentListedSession(
  { created_at, last_used_at, browser, system, address, token }: ListedSession,
  caller: { isOwn: boolean; isCurrent: boolean },
): ListedSessionAnswer {
  return {
    accessor: token.accessor,
    display_name: token.display_name,
    policies: token.policies,
    browser,
    system,
    address,
    created_time: created_at.toISOString(),
    last_used_time: last_used_at.toISOString(),
    expire_time: endOf(created_at, token.ends_at).toISOString(),
    is_own: caller.isOwn,
    is_current: caller.isCurrent,
  };
}

function endOf(started: Date, tokenEndsAt: Date | null): Date {
  return new Date(Math.min(started.getTime() + SESSION_SECONDS * 1000, tokenEndsAt?.getTime() ?? Infinity));
}

function secondsUntil(time: number): number {
  return Math.max(0, Math.floor((time - Date.now()) / 1000));
}
