import { createEmptyPipeline, type Pipeline } from '@azure/core-rest-pipeline';
import { SecretClient, type SecretClientOptions } from '@azure/keyvault-secrets';
import type { ConnectorContext } from '../../../libs/connector/contract.ts';
import { ConnectorError } from '../../../libs/connector/errors.ts';
import { guardedAgent } from '../../../libs/egress/agent.ts';
import { type Credential, openAuthority } from './authority.ts';
import { findCloud, isVaultHost } from './clouds.ts';
import type { Cloud2KvSettings } from './destination.ts';
import type { Operation } from './failures.ts';
import { interrupted, withTimeLimit } from './time-limit.ts';
import { createTransport } from './transport.ts';
import { describeTransport } from './transport-failures.ts';
import { translate } from './translate.ts';

/** One call with the SDK's client; the signal ends it. */
export type Call<Output> = (client: SecretClient, options: { abortSignal: AbortSignal }) => Promise<Output>;

/** Makes the call `operation` and throws ConnectorErrors only, but for faults of our own. */
export type Invoke = <Output>(
  operation: Operation,
  signal: AbortSignal,
  call: Call<Output>,
) => Promise<Output>;

export type Vault = { invoke: Invoke; close: () => void };

/** A client that is `proven` once the vault has taken its token. */
type Live = { client: SecretClient; credential: Credential; proven: boolean };

const PEER = { name: 'the vault', address: 'key_vault_uri' };
// Well before the SDK would renew the token by itself, in its last two minutes (`authority.ts`).
const RENEWED_BEFORE_MS = 3 * 60_000;

function openAgent(uri: string, context: ConnectorContext) {
  try {
    return guardedAgent(uri, context);
  } catch (error) {
    throw describeTransport(error, PEER) ?? error;
  }
}

function notSignedIn(): ConnectorError {
  return new ConnectorError({
    kind: 'client',
    code: 'sign_in_failed',
    message: 'Signing in to the vault did not work: check key_vault_uri, cloud and tenant_id.',
    scope: 'destination',
  });
}

function hasStatus(error: unknown, status?: number): boolean {
  if (!(error instanceof Error) || !('statusCode' in error)) return false;
  return status === undefined || error.statusCode === status;
}

/** Opens the way to one vault; nothing is sent yet. */
export function openVault(settings: Cloud2KvSettings, context: ConnectorContext): Vault {
  const cloud = findCloud(settings.cloud);
  if (!cloud) throw notSignedIn();
  const { origin, protocol, host } = new URL(settings.key_vault_uri);
  const isOwnName = isVaultHost(host, cloud);
  const agent = openAgent(settings.key_vault_uri, context);
  const authority = openAuthority(settings, cloud, context);
  const state: { live?: Live | undefined; proving?: Promise<void> | undefined } = {};

  function createLive(): Live {
    const credential = authority.createCredential();
    const httpClient = createTransport({
      peer: PEER,
      baseUrl: origin,
      agent,
      timeoutMs: context.callTimeoutMs,
      isPlausible: (body) => typeof body['id'] === 'string',
      note: ({ status }, request) => {
        if (request.headers.has('authorization')) made.proven = status !== 401;
      },
    });
    const options: SecretClientOptions & { pipeline: Pipeline } = {
      // The SDK adds its own signing in; repeats, redirects, logs and compression have no place here, and cost time.
      pipeline: createEmptyPipeline(),
      httpClient,
      // Both only ever hold for addresses that the operator has allowed.
      allowInsecureConnection: protocol === 'http:',
      disableChallengeResourceVerification: !isOwnName,
    };
    const client = new SecretClient(origin, credential, options);
    const made: Live = { client, credential, proven: false };
    return made;
  }

  const isReady = (live: Live | undefined): live is Live =>
    live?.proven === true && live.credential.expiresAt() - RENEWED_BEFORE_MS > Date.now();

  // The SDK keeps the answer to a vault's challenge for all calls of a client, and may lose the body of a call that
  // runs beside the first one: the first goes alone. A client that the vault did not accept is not used again.
  async function signIn<Output>(call: Call<Output>, abortSignal: AbortSignal): Promise<Output> {
    while (state.proving) await state.proving;
    abortSignal.throwIfAborted();
    if (isReady(state.live)) return call(state.live.client, { abortSignal });
    const made = createLive();
    const first = call(made.client, { abortSignal }).catch((error: unknown) => {
      // The SDK's own refusals of a challenge say nothing that could be told apart.
      throw made.proven || error instanceof ConnectorError || hasStatus(error) ? error : notSignedIn();
    });
    const settle = () => {
      state.proving = undefined;
      state.live = made.proven ? made : undefined;
    };
    state.proving = first.then(settle, settle);
    return first;
  }

  const signInInTime = <Output>(call: Call<Output>, signal: AbortSignal): Promise<Output> =>
    withTimeLimit(context.callTimeoutMs, signal, (abortSignal) => signIn(call, abortSignal));

  async function run<Output>(call: Call<Output>, abortSignal: AbortSignal): Promise<Output> {
    if (state.proving || !isReady(state.live)) return signInInTime(call, abortSignal);
    abortSignal.throwIfAborted();
    try {
      return await call(state.live.client, { abortSignal });
    } catch (error) {
      // The token has lost its worth before its time: a fresh one decides.
      if (!hasStatus(error, 401)) throw error;
      return signInInTime(call, abortSignal);
    }
  }

  return {
    async invoke(operation, signal, call) {
      try {
        return await run(call, signal);
      } catch (error) {
        throw signal.aborted ? interrupted() : translate(error, operation);
      }
    },
    close() {
      void agent.destroy();
      authority.close();
    },
  };
}
