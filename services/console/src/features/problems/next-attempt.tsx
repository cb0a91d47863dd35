import { Time, useNow } from '../../kit/time.tsx';

/** When what failed is tried again. A time that is over only means that its turn comes. */
export function NextAttempt({ at }: { at: string | Date }) {
  const now = Math.max(useNow(), Date.now());
  if (new Date(at).getTime() <= now) return 'retry due';
  return (
    <>
      retries <Time at={at} />
    </>
  );
}
