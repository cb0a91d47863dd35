import type { AuthKindAnswer, FieldAnswer } from '../../../../../api/contract/forms.ts';
import { Notice } from '../../../kit/notice.tsx';
import { counted } from '../../../kit/text/counted.ts';
import { Time } from '../../../kit/time.tsx';
import { isSet } from '../../../schema-form/fields.ts';
import { MethodConfig, type Config } from './method-config.tsx';
import type { AuthMethod } from './queries.ts';

const WORDS = {
  title: 'Issuer',
  setUp: 'Set up the issuer…',
  change: 'Change the issuer…',
  none: 'No issuer yet: nobody can log in here.',
  about: 'Machines log in with tokens that this issuer has signed. Its public keys verify them.',
  keys: 'jwt_validation_pubkeys',
};

/** Whose tokens log in at an auth method, and since when their keys are known. */
export function JwtConfig(props: { method: AuthMethod; kind: AuthKindAnswer }) {
  return (
    <MethodConfig
      {...props}
      words={WORDS}
      fields={fieldsOf(props.kind)}
      valuesOf={valuesOf}
      refusals={REFUSALS}
      standing={(config) => <Standing config={config} />}
    />
  );
}

// How the API begins when an address or a key did not work.
const REFUSALS = {
  'error parsing public key: ': 'jwt_validation_pubkeys',
  'error checking oidc discovery URL: ': 'oidc_discovery_url',
  'error checking jwks URL: ': 'jwks_url',
};

const CHOICE: FieldAnswer = {
  name: 'keys_from',
  title: 'How are the keys found?',
  enum: ['oidc_discovery_url', 'jwks_url', 'jwt_validation_pubkeys'],
  words: {
    oidc_discovery_url: 'From the issuer’s address (OIDC discovery)',
    jwks_url: 'From the address of a key set (JWKS)',
    jwt_validation_pubkeys: 'Pasted here, as public keys',
  },
  default: 'oidc_discovery_url',
};

const SOURCES = CHOICE.enum ?? [];

// Only people choose first: the API knows the source by the one field that is set.
const APPLIES: Record<string, string[]> = {
  ...Object.fromEntries(SOURCES.map((source) => [source, [source]])),
  oidc_discovery_ca_pem: ['oidc_discovery_url'],
  jwks_ca_pem: ['jwks_url'],
  bound_issuer: ['jwks_url', 'jwt_validation_pubkeys'],
};

function fieldsOf({ config }: AuthKindAnswer): FieldAnswer[] {
  const fields = config.map((field) => {
    const applies = APPLIES[field.name];
    const isSource = SOURCES.includes(field.name);
    return applies ? { ...field, is_required: isSource, applies: { [CHOICE.name]: applies } } : field;
  });
  return [CHOICE, ...fields];
}

function valuesOf(config: Config): Config {
  const source = SOURCES.find((name) => isSet(config[name]));
  return source ? { ...config, [CHOICE.name]: source } : config;
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
        {source ? <code>{source}</code> : 'Public keys pasted here'} · {counted(keys, 'key')}
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
