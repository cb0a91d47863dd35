import { setTimeout as sleep } from 'node:timers/promises';
import { watch } from 'chokidar';
import { LocalFailure } from './failure.ts';
import { projectRoot } from './root.ts';

/** The sources of the build. */
const WATCHED = ['services', 'libs', 'deploy', 'test', 'bench', 'tsconfig.json', 'package-lock.json'];
/** Changes within this time become one change, because an editor saves many files at once. */
const GATHER_MS = 150;

/** Watches the sources. Always call `close` in the end, also after a failure. */
export interface Changes {
  /** Calls `act` with the changed paths, one call at a time, until the signal. */
  follow(act: (paths: string[]) => Promise<void>, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Starts to watch. Changes are kept until `follow` is called. */
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
