import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectSecure } from 'node:tls';
import { listSetting, readEnvironment, type Config } from '../../../libs/config/config.ts';
import type { Destination } from '../../../libs/connector/contract.ts';
import { checkUrl } from '../../../libs/egress/guard.ts';
import { catalog } from '../../connectors/catalog.ts';
import { codeOf, failed, passed, warning, type Finding } from '../../../libs/service/diagnosis/finding.ts';
import { counted } from '../../../libs/collections/counted.ts';

const LIMIT_MS = 5000;

/** Checks the webhook's address, and whether each type's stores can be reached. Only a type in use can fail. */
export async function examineEgress(
  config: Config,
  destinations: Map<string, number> | null,
): Promise<Finding[]> {
  const reached = await Promise.all(
    catalog.map((destination) => examineType(destination, destinations?.has(destination.type) ?? false)),
  );
  return [...examineWebhook(config), ...reached.flat()];
}

/** How many exceptions from the rule of public addresses there are. */
export function examineRules({ EGRESS_ALLOW }: Config): Finding {
  const { length } = listSetting(EGRESS_ALLOW);
  return passed('egress rules', length === 0 ? 'only public addresses' : counted(length, 'exception'));
}

function examineWebhook({ NOTIFY_WEBHOOK_URL: url, EGRESS_ALLOW }: Config): Finding[] {
  if (!url) return [];
  const fault = checkUrl(url, { egressAllow: listSetting(EGRESS_ALLOW) });
  if (fault === null) return [passed('notifications', 'the address of the webhook is allowed')];
  return [
    failed('notifications', `NOTIFY_WEBHOOK_URL: ${fault}`, 'correct it, or allow its host in EGRESS_ALLOW'),
  ];
}

// The address of a type's stores if a destination does not name another.
async function examineType({ type, address }: Destination, isUsed: boolean): Promise<Finding[]> {
  const { variable, usual } = address ?? {};
  const url = (variable && readEnvironment(variable)) ?? usual;
  if (!url) return [];
  const check = `way to ${type}`;
  const report = isUsed ? failed : warning;
  if (!URL.canParse(url)) return [failed(check, `${variable} is not a URL`, `correct ${variable}`)];
  const { host } = new URL(url);
  const error = await reach(new URL(url));
  if (error === null) return [passed(check, `${host} can be reached`)];
  const isTrust = /CERT|SELF_SIGNED|ISSUER|ALTNAME/.test(error);
  const advice = isTrust
    ? 'set NODE_EXTRA_CA_CERTS to the file of the certificate authority'
    : `allow this host to resolve and reach ${host}, or set ${variable}`;
  return [report(check, `${host} cannot be reached: ${error}`, advice)];
}

function reach(url: URL): Promise<string | null> {
  const isSecure = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = Number(url.port) || (isSecure ? 443 : 80);
  return new Promise((resolve) => {
    const socket: Socket = isSecure
      ? connectSecure({ host, port, ...(isIP(host) ? {} : { servername: host }) })
      : connectPlain({ host, port });
    const end = (result: string | null): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(result);
    };
    const timer = setTimeout(() => end('no answer'), LIMIT_MS);
    socket.once(isSecure ? 'secureConnect' : 'connect', () => end(null));
    socket.once('error', (error) => end(codeOf(error)));
  });
}
