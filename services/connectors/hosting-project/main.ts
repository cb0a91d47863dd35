import { runConnector } from '../../../libs/connector/run.ts';
import { connector } from './connector.ts';
import { destination } from './destination.ts';

await runConnector(destination, connector);
