import type { Server } from 'node:net';
import { ConfigError } from '../config/config-error.ts';

// What a person can mend in the settings of the address.
const FAULTS: Record<string, (host: string, port: number) => string> = {
  ENOTFOUND: (host) => `${host} does not resolve`,
  EAI_AGAIN: (host) => `${host} cannot be resolved now: no name server answers`,
  EADDRNOTAVAIL: (host) => `${host} is no address of this host`,
  EADDRINUSE: (_, port) => `another process listens on port ${port}`,
  EACCES: (_, port) => `this user may not listen on port ${port}`,
};

/** Begins to listen. `names` are the settings of host and port; the ConfigError names the one that cannot be used. */
export async function listen(
  server: Server,
  { host, port }: { host: string; port: number },
  names: { host: string; port: string },
): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
  } catch (error) {
    const { code } = error as { code?: string };
    const fault = FAULTS[code ?? ''];
    if (!fault) throw error;
    const isPort = code === 'EADDRINUSE' || code === 'EACCES';
    throw new ConfigError([`${isPort ? names.port : names.host}: ${fault(host, port)}`]);
  }
}
