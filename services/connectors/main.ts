import { createLog } from '../../libs/log/log.ts';
import { runConnector } from '../../libs/sync/worker.ts';
import { catalog, connectorOf, findDestinationType } from './catalog.ts';

const USAGE_ERROR = 64;

// main.js TYPE: runs the worker of one destination type.
const type = process.argv[2] ?? '';
const destination = findDestinationType(type);
if (destination) {
  await runConnector(destination, connectorOf(destination));
} else {
  const types = catalog.map((known) => known.type);
  createLog({ service: 'connector', level: 'info' }).fatal(
    { types },
    `there is no connector of the type ${type}`,
  );
  process.exitCode = USAGE_ERROR;
}
