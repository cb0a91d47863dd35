import { runService } from '../../libs/service/run-service.ts';
import { startSettingsWorker } from './start.ts';

await runService('settings', startSettingsWorker);
