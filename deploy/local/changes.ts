import { setTimeout as sleep } from 'node:timers/promises';
import { watch } from 'chokidar';
import { LocalFailure } from './failure.ts';
import { projectRoot } from './root.ts';

/** What the build reads. */
const WATCHED = ['services', 'libs', 'deploy', 'test', 'bench', 'tsconfig.json', 'package-lock.json'];
/** An editor saves many files within this time; they become one change. */
const GATHER_MS = 150;

/** Watches the sources. `close` is to be called in the end, also after a failure. */
export interface Changes {
  /** Calls `act` with the paths that changed, one call at a time, until the signal. */
  follow(act: (paths: string[]) => Promise<void>, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Begins to watch; changes are kept until they are followed. */
export function watchSources(): Changes {
  const changed = new Set<string>();
  let failure = '';
  const watcher = watch(WATCHED, { cwd: projectRoot, ignoreInitial: true });
  watcher.on('all', (_event, path) => changed.add(path));
  watcher.on('error', (error) => {
    failure = error instanceof Error ? error.message : 'unknown reason';
  });
  return {
    async follow(act, signal) {
      while (!signal.aborted) {
        if (failure) throw new LocalFailure(`The sources cannot be watched: ${failure}`);
        await sleep(GATHER_MS);
        if (changed.size === 0) continue;
        const paths = [...changed].sort();
        changed.clear();
        await act(paths);
      }
    },
    close: () => watcher.close(),
  };
}
