import { useSyncExternalStore } from 'react';
import type { SessionAnswer } from '../../../api/contract/answers.ts';
import { call, onRefusal, setCredentials, setNamespace } from '../api/client.ts';
import { ApiFailure } from '../api/failure.ts';

/**
 * Who is signed in. `lost`: the session of `session` has ended while its page is open; the page waits, hidden, for the same
 * person.
 */
export type SessionState =
  | { kind: 'unknown' }
  | { kind: 'away'; failure: ApiFailure }
  | { kind: 'none' }
  | { kind: 'present'; session: SessionAnswer }
  | { kind: 'lost'; session: SessionAnswer };

let state: SessionState = { kind: 'unknown' };
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

/** Asks who is signed in by the cookie. */
export async function lookUpSession(): Promise<void> {
  try {
    const { status, data } = await call<{ data: SessionAnswer }>('GET', 'auth/session', { background: true });
    if (status === 200) enter(data.data);
    else if (state.kind === 'present') become({ kind: 'lost', session: state.session });
    else if (state.kind !== 'lost') become({ kind: 'none' });
  } catch (error) {
    if (state.kind === 'unknown' && error instanceof ApiFailure) become({ kind: 'away', failure: error });
  }
}

/** Begins a session; the token is not kept. Throws ApiFailure. */
export async function signIn(token: string): Promise<void> {
  const headers = { Authorization: `Bearer ${token}` };
  const { data } = await call<{ data: SessionAnswer }>('POST', 'auth/session', { headers });
  enter(data.data);
}

export async function signOut(): Promise<void> {
  await call('DELETE', 'auth/session').catch(() => undefined);
  // Everything that was read goes with the page.
  window.location.assign('/ui/');
}

// Only the same person finds what the page still holds.
function enter(session: SessionAnswer): void {
  if (state.kind === 'lost' && state.session.display_name !== session.display_name) {
    window.location.assign('/ui/');
    return;
  }
  setCredentials(session.csrf);
  setNamespace(session.namespace_path.replace(/\/$/, ''));
  become({ kind: 'present', session });
}

onRefusal(() => {
  if (state.kind === 'present') void lookUpSession();
});

// Back from the browser's store of pages: nothing of it may be shown before somebody is known to be signed in.
window.addEventListener('pageshow', (event) => {
  if (event.persisted) window.location.reload();
});
