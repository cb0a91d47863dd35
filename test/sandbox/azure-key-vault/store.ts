import { randomUUID } from 'node:crypto';

const RETENTION_MS = 90 * 24 * 3600 * 1000;

export type Version = {
  id: string;
  value: string;
  contentType: string | undefined;
  tags: Record<string, string>;
  enabled: boolean;
  createdAt: number;
  updatedAt: number;
};

/** `deleting`, `recovering` and `purging` last until `settlesAt`. Nobody can see a `purging` name. */
export type Phase = 'live' | 'deleting' | 'deleted' | 'recovering' | 'purging';

export type Secret = {
  /** In its first spelling; the store ignores case when it compares names. */
  name: string;
  versions: Version[];
  phase: Phase;
  settlesAt: number;
  deletedAt: number;
  purgeAt: number;
};

export type Store = ReturnType<typeof createStore>;

/** The secrets of one vault. The clock can be moved forward. */
export function createStore() {
  const secrets = new Map<string, Secret>();
  let clockOffsetMs = 0;
  const now = () => Date.now() + clockOffsetMs;

  function settle(secret: Secret): Secret | undefined {
    const isDue = secret.settlesAt <= now();
    if (secret.phase === 'deleting' && isDue) secret.phase = 'deleted';
    if (secret.phase === 'recovering' && isDue) secret.phase = 'live';
    const isPurged = secret.phase === 'purging' && isDue;
    if (!isPurged && !(secret.phase === 'deleted' && secret.purgeAt <= now())) return secret;
    secrets.delete(secret.name.toLowerCase());
    return undefined;
  }

  return {
    now,
    advance: (ms: number): void => {
      clockOffsetMs += ms;
    },
    find(name: string): Secret | undefined {
      const secret = secrets.get(name.toLowerCase());
      return secret && settle(secret);
    },
    add(name: string): Secret {
      const fresh = { phase: 'live' as const, settlesAt: 0, deletedAt: 0, purgeAt: Infinity };
      const secret: Secret = { name, versions: [], ...fresh };
      secrets.set(name.toLowerCase(), secret);
      return secret;
    },
    /** Starts a phase that lasts `delayMs`. */
    begin(secret: Secret, phase: 'deleting' | 'recovering' | 'purging', delayMs: number) {
      secret.phase = phase;
      secret.settlesAt = now() + delayMs;
      if (phase !== 'deleting') return;
      secret.deletedAt = now();
      secret.purgeAt = now() + RETENTION_MS;
    },
    drop: (name: string): void => void secrets.delete(name.toLowerCase()),
    addVersion(secret: Secret, content: Partial<Omit<Version, 'id' | 'createdAt' | 'updatedAt'>>): Version {
      const version: Version = {
        id: randomUUID().replaceAll('-', ''),
        value: content.value ?? '',
        contentType: content.contentType,
        tags: content.tags ?? {},
        enabled: content.enabled ?? true,
        createdAt: now(),
        updatedAt: now(),
      };
      secret.versions.push(version);
      return version;
    },
    all: (): Secret[] => [...secrets.values()].flatMap((secret) => settle(secret) ?? []),
    clear() {
      secrets.clear();
      clockOffsetMs = 0;
    },
  };
}
