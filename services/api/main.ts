import { runService } from '../../libs/service/run-service.ts';
import { startApi } from './start.ts';

await runService('api', startApi);
