import type { AuthKindAnswer } from '../../../../../api/contract/forms.ts';
import type { KubernetesConfigAnswer } from '../../../../../api/contract/mounts.ts';
import kit from '../../../kit/kit.module.css';
import { counted } from '../../../kit/text/counted.ts';
import { MethodConfig, type Config } from './method-config.tsx';
import type { AuthMethod } from './queries.ts';

const WORDS = {
  title: 'Cluster',
  setUp: 'Set up the cluster…',
  change: 'Change the cluster…',
  none: 'No cluster yet: nobody can log in here.',
  about: 'Pods log in with the tokens of their service accounts.',
  keys: 'pem_keys',
};

/** Whose pods log in at an auth method, and how their tokens are verified. */
export function KubernetesConfig(props: { method: AuthMethod; kind: AuthKindAnswer }) {
  return (
    <MethodConfig
      {...props}
      words={WORDS}
      valuesOf={valuesOf}
      standing={(config) => <Standing config={config as KubernetesConfigAnswer} />}
    />
  );
}

function valuesOf({ token_reviewer_jwt_set: isSet, ...config }: Config): Config {
  return { ...config, token_reviewer_jwt: isSet ? '*****' : '' };
}

function Standing({ config }: { config: KubernetesConfigAnswer }) {
  const { kubernetes_host: host, pem_keys: pems, validation } = config;
  return (
    <>
      {validation === 'local' ? (
        <p>Tokens are checked by the cluster’s public keys · {counted(pems.length, 'key')}</p>
      ) : (
        <p>
          Each log-in asks <code>{host}</code>
          {config.token_reviewer_jwt_set ? ' with a stored token' : ''}
        </p>
      )}
      <p className={kit.muted}>
        A pod logs in with a projected token of its service account. The token’s audience must be that of the
        role.
      </p>
    </>
  );
}
