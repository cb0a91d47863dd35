import type { AuthKindAnswer } from '../../../../../api/contract/forms.ts';
import { Notice } from '../../../kit/notice.tsx';
import { counted } from '../../../kit/text/counted.ts';
import { Time } from '../../../kit/time.tsx';
import { MethodConfig, type Config } from './method-config.tsx';
import type { AuthMethod } from './queries.ts';

const WORDS = {
  title: 'Issuer',
  change: 'Change the issuer…',
  none: 'No issuer yet: nobody can log in here.',
  about: 'Name one: the issuer’s URL, the URL of its key set, or its public keys themselves.',
  keys: 'jwt_validation_pubkeys',
};

/** Whose tokens log in at an auth method, and since when their keys are known. */
export function JwtConfig(props: { method: AuthMethod; kind: AuthKindAnswer }) {
  return <MethodConfig {...props} words={WORDS} standing={(config) => <Standing config={config} />} />;
}

function Standing({ config }: { config: Config }) {
  const {
    oidc_discovery_url: issuer,
    jwks_url: keySet,
    keys,
    keys_fetched_at: fetched,
    keys_fault: fault,
  } = config as {
    oidc_discovery_url: string;
    jwks_url: string;
    keys: number;
    keys_fetched_at: string | null;
    keys_fault: string | null;
  };
  const source = issuer || keySet;
  return (
    <>
      <p>
        {source ? <code>{source}</code> : 'Keys that were given here'} · {counted(keys, 'key')}
        {source && fetched ? (
          <>
            , fetched <Time at={fetched} />
          </>
        ) : null}
      </p>
      {fault ? <Notice tone="limited">The last try to fetch the keys failed: {fault}.</Notice> : null}
    </>
  );
}
