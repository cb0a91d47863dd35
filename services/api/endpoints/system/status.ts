import { LRUCache } from 'lru-cache';
import { permissionDenied } from '../../../../libs/errors/request-error.ts';
import { issuerUrl } from '../../../../libs/config/config.ts';
import { readVersion } from '../../../../libs/config/version.ts';
import {
  examineBroker,
  refusalFinding,
  type BrokerReport,
} from '../../../../libs/service/diagnosis/broker.ts';
import { examineIssuers } from '../../../../libs/service/diagnosis/issuer.ts';
import { examineTlsCertificate } from '../../../../libs/service/diagnosis/tls-certificate.ts';
import { examineDatabase, refusalOf } from '../../../../libs/service/diagnosis/database.ts';
import type { Finding } from '../../../../libs/service/diagnosis/finding.ts';
import { examineLoss } from '../../../../libs/service/diagnosis/loss.ts';
import { ROOT_NAMESPACE } from '../../../../libs/store/access/namespaces.ts';
import { findMasterKey } from '../../../../libs/store/maintenance/master-keys.ts';
import { readSigningKeyAge } from '../../../../libs/store/oidc/key-ages.ts';
import { readBacklog } from '../../../../libs/store/counts/backlog.ts';
import { statusAnswer, type StatusAnswer, type WorkerAnswer } from '../../contract/status.ts';
import { endpoint, ok, type Endpoint } from '../../routing/endpoint.ts';
import type { ApiServices } from '../../services.ts';
import { examineMailSparingly } from './mail-status.ts';

// Examining the broker opens a connection, so all callers within this time get the same answer.
const FRESH_MS = 2000;
const kept = new LRUCache<ApiServices['db'], Promise<StatusAnswer>>({ max: 4, ttl: FRESH_MS });

const version = readVersion();

/**
 * The status of what the service depends on, as `sealift doctor` sees it. Only `sealift doctor` checks the way out to
 * the stores.
 */
export const statusEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/sys/status',
    access: 'policy',
    summary: 'Read the status of workers, queues, database, broker and keys, and what to fix',
    answers: { 200: { data: statusAnswer } },
    handle: async ({ services, namespace }) => {
      if (namespace.id !== ROOT_NAMESPACE.id)
        throw permissionDenied('this API is reserved to the root namespace');
      const known = kept.get(services.db);
      if (known) return ok(await known);
      const status = examine(services);
      kept.set(services.db, status);
      status.catch(() => kept.delete(services.db));
      return ok(await status);
    },
  }),
];

async function examine(services: ApiServices): Promise<StatusAnswer> {
  const { db, keyring, config, loss, broker: own } = services;
  const database = await examineDatabase(db, keyring);
  const broker = await examineBroker(config, database.destinations);
  // That this process has no connection either says nothing more.
  const isBrokerAway = broker.deadLetters === null;
  const refusals: Finding[] = [];
  const orNull = <Found>(read: Promise<Found>): Promise<Found | null> =>
    read.catch((error: unknown) => {
      refusals.push(refusalOf(error));
      return null;
    });
  const masterKey = await orNull(findMasterKey(db, keyring.current.id));
  const signing = await orNull(readSigningKeyAge(db));
  const backlog = await orNull(readBacklog(db));
  const mail = await orNull(examineMailSparingly(services));
  const stated = { address: issuerUrl(config), isSet: config.ISSUER_URL !== '', by: 'the API' };
  const issuers = await examineIssuers(stated, services.commands, broker.workers);
  return {
    time: new Date().toISOString(),
    version,
    node_version: process.versions.node,
    findings: unique([
      ...database.findings,
      ...refusals,
      ...broker.findings,
      ...(isBrokerAway ? [] : own.refusals.list().map(refusalFinding)),
      ...(mail ?? []),
      ...issuers,
      ...examineTlsCertificate(config),
      examineLoss(loss.present()),
    ]),
    workers: describeWorkers(backlog, broker.workers),
    dead_letters: broker.deadLetters,
    master_key: masterKey
      ? { term: masterKey.term, installed_at: masterKey.installedAt.toISOString() }
      : null,
    signing_keys: signing && { count: signing.keys, newest_age_seconds: signing.seconds },
    lost_writes: loss.isRefusing(),
  };
}

// This process may have met the same refusal.
function unique(findings: Finding[]): Finding[] {
  return [...new Map(findings.map((finding) => [`${finding.check} ${finding.detail}`, finding])).values()];
}

function describeWorkers(
  backlog: Awaited<ReturnType<typeof readBacklog>> | null,
  workers: BrokerReport['workers'],
): WorkerAnswer[] | null {
  const byType = new Map(backlog?.map((one) => [one.type, one]));
  return (
    workers?.map(({ name, type, running, messages }) => {
      const isKnown = type !== null && backlog !== null;
      const found = type === null ? undefined : byType.get(type);
      const due = isKnown ? (found?.due ?? 0) : null;
      const oldest = isKnown ? (found?.oldestSeconds ?? 0) : null;
      return { name, running, messages, due, oldest_due_seconds: oldest };
    }) ?? null
  );
}
