import type { Context } from '../../libs/service/context.ts';
import { readSigningKeyAge } from '../../libs/store/oidc/key-ages.ts';

/** Reads the age of the signing key at each scrape. */
export function measureKeys({ metrics, db }: Context): void {
  metrics.read(['signingKeyAge', 'signingKeys'], async () => {
    const { keys, seconds } = await readSigningKeyAge(db);
    metrics.signingKeys.set(keys);
    if (seconds !== null) metrics.signingKeyAge.set(seconds);
  });
}
