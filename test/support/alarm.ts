import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startRabbitmq } from '../../deploy/local/rabbitmq.ts';
import { discardServers } from '../../deploy/local/servers.ts';

/** An own broker that can raise its memory alarm: from then on it reads nothing from connections that publish. */
export type AlarmedBroker = {
  url: string;
  /** Holds its program `rabbitmqctl`. */
  directory: string;
  alarm: (on: boolean) => Promise<void>;
  /** Runs rabbitmqctl. */
  control: (...words: string[]) => Promise<void>;
  stop: () => Promise<void>;
};

/** Undo: `stop`. */
export async function startAlarmedBroker(): Promise<AlarmedBroker> {
  const root = mkdtempSync(join(tmpdir(), 'sealift-alarm-'));
  const directory = join(root, 'rabbitmq');
  const { url } = await startRabbitmq({ directory });
  const control = async (...words: string[]): Promise<void> => {
    await promisify(execFile)(join(directory, 'rabbitmqctl'), words);
  };
  return {
    url,
    directory,
    alarm: (isOn) => control('set_vm_memory_high_watermark', isOn ? '0.000001' : '0.9'),
    control,
    stop: () => discardServers(root),
  };
}
