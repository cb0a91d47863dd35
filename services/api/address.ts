import { publicUrl, type Config } from '../../libs/config/config.ts';

/** The address of a list or a document: below PUBLIC_URL if that is set, otherwise relative to the host of the request. */
export function addressOf(config: Config, path: string): string {
  return config.PUBLIC_URL === '' ? path : `${publicUrl(config)}${path}`;
}
