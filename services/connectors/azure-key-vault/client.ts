import { createEmptyPipeline, type Pipeline } from '@azure/core-rest-pipeline';
import { SecretClient, type SecretClientOptions } from '@azure/keyvault-secrets';
import type { ConnectorContext } from '../../../libs/connector/contract.ts';
import { ConnectorError } from '../../../libs/connector/errors.ts';
import { openAgent } from '../../../libs/connector/http/agent.ts';
import type { EgressAgent } from '../../../libs/egress/agent.ts';
import { type Authority, type Credential, openAuthority } from './authority.ts';
import { findCloud, isVaultHost } from './clouds.ts';
import type { Cloud2KvSettings } from './destination.ts';
import { failures, type Operation, translate } from './failures.ts';
import { withinLimit } from './time-limit.ts';
import { createTransport } from './transport.ts';

/** One call with the SDK's client; the signal ends it. */
export type Call<Output> = (client: SecretClient, options: { abortSignal: AbortSignal }) => Promise<Output>;

/** `invoke` makes the call `operation`. It throws ConnectorErrors only, except for bugs of our own. */
export type Vault = {
  invoke: <Output>(operation: Operation, signal: AbortSignal, call: Call<Output>) => Promise<Output>;
  close: () => void;
};

/** A client. It is `proven` once the vault has accepted its token. */
type Live = { client: SecretClient; credential: Credential; proven: boolean };

type Way = { uri: URL; isOwnName: boolean; agent: EgressAgent; authority: Authority; callTimeoutMs: number };

// Well before the SDK would renew the token itself, in its last two minutes (`authority.ts`).
const RENEWED_BEFORE_MS = 3 * 60_000;

/** Opens the connection to one vault; sends nothing yet. */
export function openVault(settings: Cloud2KvSettings, context: ConnectorContext): Vault {
  const cloud = findCloud(settings.cloud);
  if (!cloud) throw notSignedIn();
  const uri = new URL(settings.key_vault_uri);
  const agent = openAgent(settings.key_vault_uri, context, { isTrusted: false, failures });
  const authority = openAuthority(settings, cloud, context);
  const { callTimeoutMs } = context;
  const clients = new Clients({
    uri,
    isOwnName: isVaultHost(uri.host, cloud),
    agent,
    authority,
    callTimeoutMs,
  });
  return {
    async invoke(operation, signal, call) {
      try {
        return await clients.run(call, signal);
      } catch (error) {
        throw signal.aborted ? failures.fail('call_interrupted') : translate(error, operation);
      }
    },
    close() {
      void agent.destroy();
      authority.close();
    },
  };
}

/**
 * Keeps the one client in use. The SDK keeps the answer to a vault's challenge for all calls of a client, and may lose
 * the body of a call that runs beside the first one. So the first call runs alone. A client that the vault did not accept
 * is not used again.
 */
class Clients {
  readonly #way: Way;
  #live: Live | undefined;
  #proving: Promise<void> | undefined;

  constructor(way: Way) {
    this.#way = way;
  }

  async run<Output>(call: Call<Output>, abortSignal: AbortSignal): Promise<Output> {
    const live = this.#proving ? undefined : this.#ready();
    if (!live) return this.#signInInTime(call, abortSignal);
    abortSignal.throwIfAborted();
    try {
      return await call(live.client, { abortSignal });
    } catch (error) {
      // The vault no longer accepts the token, although it has not expired. A fresh token decides.
      if (!hasStatus(error, 401)) throw error;
      return this.#signInInTime(call, abortSignal);
    }
  }

  #ready(): Live | undefined {
    const live = this.#live;
    const isReady = live?.proven === true && live.credential.expiresAt() - RENEWED_BEFORE_MS > Date.now();
    return isReady ? live : undefined;
  }

  #signInInTime<Output>(call: Call<Output>, signal: AbortSignal): Promise<Output> {
    return withinLimit(this.#way.callTimeoutMs, signal, (abortSignal) => this.#signIn(call, abortSignal));
  }

  async #signIn<Output>(call: Call<Output>, abortSignal: AbortSignal): Promise<Output> {
    while (this.#proving) await this.#proving;
    abortSignal.throwIfAborted();
    const live = this.#ready();
    if (live) return call(live.client, { abortSignal });
    const made = createLive(this.#way);
    const first = call(made.client, { abortSignal }).catch((error: unknown) => {
      // The SDK's own refusals of a challenge all look the same.
      throw made.proven || error instanceof ConnectorError || hasStatus(error) ? error : notSignedIn();
    });
    const settle = (): void => {
      this.#proving = undefined;
      this.#live = made.proven ? made : undefined;
    };
    this.#proving = first.then(settle, settle);
    return first;
  }
}

function createLive({ uri, isOwnName, agent, authority, callTimeoutMs }: Way): Live {
  const credential = authority.createCredential();
  const httpClient = createTransport({
    failures,
    baseUrl: uri.origin,
    agent,
    timeoutMs: callTimeoutMs,
    isPlausible: (body) => typeof body['id'] === 'string',
    note: ({ status }, request) => {
      if (request.headers.has('authorization')) made.proven = status !== 401;
    },
  });
  const options: SecretClientOptions & { pipeline: Pipeline } = {
    // The SDK adds its own sign-in. Retries, redirects, logs and compression are not needed here, and they cost time.
    pipeline: createEmptyPipeline(),
    httpClient,
    // True only for addresses that the operator has allowed.
    disableChallengeResourceVerification: !isOwnName,
  };
  const shown = uri.origin.replace(/^http:/, 'https:');
  const made: Live = { client: new SecretClient(shown, credential, options), credential, proven: false };
  return made;
}

function notSignedIn(): ConnectorError {
  const message = 'Signing in to the vault failed: check key_vault_uri, cloud and tenant_id.';
  return failures.fail('credentials_refused', { message });
}

function hasStatus(error: unknown, status?: number): boolean {
  if (!(error instanceof Error) || !('statusCode' in error)) return false;
  return status === undefined || error.statusCode === status;
}
