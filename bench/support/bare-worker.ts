import { loadConfig } from '../../libs/config/config.ts';
import { createLog } from '../../libs/log/log.ts';
import { openContext } from '../../libs/service/context.ts';
import { contextReadiness, startHealthServer } from '../../libs/service/health.ts';
import { loadDocument, saveDocument } from '../../libs/settings/documents.ts';
import { generalSettings } from '../../libs/settings/general.ts';
import { serveBare } from './bare-commands.ts';

// The floor of the settings worker: only the statements of a change, without checks, effects, events, audit or log.
const config = loadConfig(process.env);
const log = createLog({ service: 'bare-worker', level: 'silent' });
const context = await openContext({ config, log, name: 'bare-worker' });
serveBare(context, async (body) => {
  const sent = JSON.parse(body) as Record<string, unknown>;
  const document = await loadDocument(context, generalSettings);
  const attributes = { ...document.attributes, ...sent };
  await saveDocument(context, generalSettings, { ...document, attributes, author: null });
  return JSON.stringify(attributes);
});
context.broker.start();
await startHealthServer({
  host: '127.0.0.1',
  port: config.HEALTH_PORT,
  readiness: contextReadiness(context, { needsBroker: true }),
});
