import type { AuthKindAnswer } from '../../../../../api/contract/forms.ts';
import type { ClusterCheckAnswer } from '../../../../../api/contract/plans.ts';
import type { KubernetesConfigAnswer } from '../../../../../api/contract/mounts.ts';
import { ask, pathOf } from '../../../api/client.ts';
import { ApiFailure, type Problem } from '../../../api/failure.ts';
import { rightFor } from '../../../api/right.ts';
import kit from '../../../kit/kit.module.css';
import { useHasRights } from '../../../kit/rights/allowed.ts';
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
  const path = `auth/${pathOf(props.method.path)}/config/check`;
  const mayTry = useHasRights([rightFor('POST', path)]);
  return (
    <MethodConfig
      {...props}
      words={WORDS}
      valuesOf={valuesOf}
      trial={{
        isNeeded: ({ validation }) => mayTry && validation === 'review',
        find: (values) => findDoubt(path, values),
      }}
      standing={(config) => <Standing config={config as KubernetesConfigAnswer} />}
    />
  );
}

// The stored cluster may be down, or reachable only later, so that it is only a doubt.
async function findDoubt(path: string, values: Config): Promise<Problem | null> {
  const { kubernetes_host: host, kubernetes_ca_cert: ca, disable_local_ca_jwt: isOwnForbidden } = values;
  const body = {
    kubernetes_host: host,
    kubernetes_ca_cert: ca ?? '',
    disable_local_ca_jwt: isOwnForbidden ?? false,
  };
  const doubt = await ask<ClusterCheckAnswer>({ method: 'POST', path, body }).catch(untested);
  if (doubt.fault === null) return null;
  const { fault, field } = doubt;
  const what = field === 'kubernetes_ca_cert' ? 'certificates' : 'address';
  return { field: field ?? 'kubernetes_host', detail: `${fault}. Check the ${what}, or save it anyway.` };
}

// What is wrong in any case is told by the call that saves.
function untested(failure: unknown): Pick<ClusterCheckAnswer, 'fault' | 'field'> {
  if (!(failure instanceof ApiFailure)) throw failure;
  return { fault: failure.status === 400 ? null : `it could not be tested: ${failure.message}`, field: null };
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
