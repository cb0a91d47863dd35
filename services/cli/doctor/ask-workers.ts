import { issuerOf, type Config } from '../../../libs/config/config.ts';
import type { Keyring } from '../../../libs/crypto/keyring.ts';
import type { Database } from '../../../libs/db/connect.ts';
import { createLog } from '../../../libs/log/log.ts';
import { Broker } from '../../../libs/queue/broker.ts';
import { createCommands } from '../../../libs/commands/commands.ts';
import { createTopology } from '../../../libs/queue/topology.ts';
import type { Finding } from '../../../libs/service/diagnosis/finding.ts';
import type { WorkerReport } from '../../../libs/service/diagnosis/broker.ts';
import { examineIssuers } from '../../../libs/service/diagnosis/issuer.ts';
import { examineMail } from '../../../libs/service/diagnosis/mail.ts';
import { findStatedIssuer } from './stated-issuer.ts';
import { readDatabaseId } from '../../../libs/store/maintenance/database-id.ts';

const LIMIT_MS = 12_000;

/**
 * Lets a settings worker try the mail server, since it alone may reach it, and compares the issuers of the connectors with
 * that of the API. `url`: where the API is, if this process reaches it.
 */
export async function askWorkers(
  { config, db, keyring, url }: { config: Config; db: Database; keyring: Keyring; url: string },
  workers: WorkerReport[] | null,
): Promise<Finding[]> {
  const log = createLog({ service: 'doctor', level: 'silent' });
  const broker = new Broker({ url: config.AMQP_URL, name: 'sealift-doctor', log });
  const topology = createTopology(config);
  const databaseId = await readDatabaseId(db);
  const options = { topology, log, keyring, databaseId, timeoutMs: LIMIT_MS };
  const commands = createCommands(broker, options);
  broker.start();
  try {
    const findings = await Promise.all([
      examineMail({ db, keyring, commands }),
      statedIssuer(config, { db, url }).then((stated) => examineIssuers(stated, commands, workers)),
    ]);
    return findings.flat();
  } finally {
    await broker.stop();
  }
}

// What the API says is what people are told. Without an answer, a setting of this process is likely the same.
async function statedIssuer(
  config: Config,
  { db, url }: { db: Database; url: string },
): Promise<Parameters<typeof examineIssuers>[0]> {
  const issuer = issuerOf(config);
  const address = await findStatedIssuer(url, db);
  if (address !== undefined) return { ...issuer, address, by: `the API at ${url}` };
  if (issuer.address === '') return null;
  return { ...issuer, by: issuer.isSet ? 'ISSUER_URL of this process' : 'PUBLIC_URL of this process' };
}
