import { runService } from '../../libs/service/run-service.ts';
import { startKeyMaintenance } from './start.ts';

await runService('key-maintenance', startKeyMaintenance);
