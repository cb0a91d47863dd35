import { useSyncExternalStore } from 'react';
import type { NamespaceChoiceAnswer, SessionAnswer } from '../../../api/contract/sessions.ts';
import { call, onRefusal, read, setCredentials, setHomeNamespace } from '../api/client.ts';
import { ApiFailure } from '../api/failure.ts';
import { queryClient } from '../api/query-client.ts';
import { forgetUnsaved, whenNothingIsLost } from '../kit/leaving/unsaved.ts';

/** Why a session is no more: `ended` is before its time, by a person or with its token. */
export type SessionEnd = 'signed-out' | 'ended' | 'expired';

/** Who is signed in. `lost`: the session has ended while its page is open. The page waits, hidden, for the same person. */
export type SessionState =
  | { kind: 'unknown' }
  | { kind: 'away'; failure: ApiFailure }
  | { kind: 'none'; failure?: unknown }
  /** Signed in at the identity provider; the person chooses one of several namespaces. */
  | { kind: 'choosing'; namespaces: string[] }
  | { kind: 'present'; session: SessionAnswer }
  | { kind: 'lost'; session: SessionAnswer; why: SessionEnd };

let state: SessionState = { kind: 'unknown' };

// Tells other tabs why their session has ended.
const signedOut = new BroadcastChannel('signed-out');
let isSignedOut = false;
// By this machine's clock, in ms; the use of the session may have moved it on since.
let endsAt = 0;
const ROUNDED_MS = 2000;
signedOut.addEventListener('message', () => {
  isSignedOut = true;
  if (state.kind === 'present') void lookUpSession();
});
const listeners = new Set<() => void>();

function become(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}

export function useSession(): SessionState {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
}

/**
 * Asks whose session the cookie belongs to; undefined if there is no session or no answer. With `isUse` the call keeps
 * the session alive.
 */
export async function lookUpSession({ isUse = false } = {}): Promise<SessionAnswer | undefined> {
  try {
    const { status, data } = await call<{ data: SessionAnswer }>('GET', 'auth/session', {
      background: !isUse,
    });
    if (status === 200) {
      enter(data.data);
      return data.data;
    }
    if (state.kind === 'present') become({ kind: 'lost', session: state.session, why: endOf() });
    else if (state.kind !== 'lost') become({ kind: 'none' });
  } catch (error) {
    const isFirst = state.kind === 'unknown' || state.kind === 'away';
    if (isFirst && error instanceof ApiFailure) become({ kind: 'away', failure: error });
  }
  return undefined;
}

/** The browser is back from the identity provider: fetches the session that waits for it, once its namespace is clear. */
export async function finishSignIn(): Promise<void> {
  try {
    const { namespaces } = await read<NamespaceChoiceAnswer>('auth/session/saml');
    if (namespaces.length > 1) return become({ kind: 'choosing', namespaces });
    await enterNamespace();
  } catch (failure) {
    become({ kind: 'none', failure });
  }
}

/** Fetches the session in one of the namespaces to choose from, and goes to the overview. Throws ApiFailure. */
export async function enterNamespace(namespace?: string): Promise<void> {
  const body = namespace === undefined ? {} : { namespace };
  const { data } = await call<{ data: SessionAnswer }>('POST', 'auth/session/saml', { body });
  window.history.replaceState(null, '', '/ui/');
  enter(data.data);
}

/** Begins a session; the token is not kept. Throws ApiFailure. */
export async function signIn(token: string): Promise<void> {
  const headers = { Authorization: `Bearer ${token}` };
  const { data } = await call<{ data: SessionAnswer }>('POST', 'auth/session', { headers });
  enter(data.data);
}

/** Asks first if the page holds unsaved input. */
export function signOut(): void {
  whenNothingIsLost(() => void endSession());
}

async function endSession(): Promise<void> {
  await call('DELETE', 'auth/session').catch(() => undefined);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no such argument
  signedOut.postMessage('');
  startAfresh();
}

/** Loads the page again, so everything that was read or typed is gone. */
export function startAfresh(): void {
  forgetUnsaved();
  window.location.assign('/ui/');
}

function endOf(): SessionEnd {
  if (isSignedOut) return 'signed-out';
  return Date.now() < endsAt - ROUNDED_MS ? 'ended' : 'expired';
}

// Only the same person may see what the page still holds.
function enter(session: SessionAnswer): void {
  const wasLost = state.kind === 'lost';
  if (state.kind === 'lost' && !isSamePerson(state.session, session)) return startAfresh();
  isSignedOut = false;
  endsAt = Date.now() + Math.min(session.idle_remaining_seconds, session.remaining_seconds) * 1000;
  setCredentials(session.csrf);
  setHomeNamespace(session.namespace_path.replace(/\/$/, ''));
  become({ kind: 'present', session });
  // What was refused meanwhile would not be asked again by itself.
  if (wasLost) void queryClient.invalidateQueries();
}

// Several persons can have tokens with these names.
const NAMELESS = new Set(['', 'token', 'root']);

function isSamePerson(before: SessionAnswer, now: SessionAnswer): boolean {
  if (before.accessor === now.accessor) return true;
  // The page is in the namespace of the former session.
  if (before.namespace_path !== now.namespace_path) return false;
  return before.display_name === now.display_name && !NAMELESS.has(now.display_name);
}

let isChecking = false;
let isRefusedSince = false;

// A page can be refused many things at once. One more look tells whether the session has ended since the first began.
async function checkSession(): Promise<void> {
  isRefusedSince = isChecking;
  if (isChecking) return;
  isChecking = true;
  await lookUpSession();
  if (isRefusedSince) await lookUpSession();
  isChecking = false;
}

onRefusal(() => {
  if (state.kind === 'present') void checkSession();
});

// The page comes from the browser's page cache. It must show nothing until we know that the user is signed in.
window.addEventListener('pageshow', (event) => {
  if (!event.persisted) return;
  document.body.replaceChildren();
  window.location.reload();
});

// A user who signs in at the identity provider comes back in another tab.
document.addEventListener('visibilitychange', () => {
  if (!document.hidden && state.kind === 'lost') void lookUpSession();
});
