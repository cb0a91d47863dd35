import { readFileSync, statSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { Config } from '../../../libs/config/config.ts';
import { unknownSettings } from '../../../libs/config/unknown-settings.ts';
import { codeOf, failed, passed, warning, type Finding } from '../../../libs/service/diagnosis/finding.ts';

/** What is wrong about settings although each of them is valid: files that they name, ports, and misspelled names. */
export function examineSettings(config: Config): Finding[] {
  const found = [
    ...examinePorts(config),
    ...examineCredentialsDirectory(config),
    ...examineCertificate(config),
    ...examineIssuer(config),
    ...examineNames(),
  ];
  const isBroken = found.some(({ state }) => state === 'failed');
  return isBroken ? found : [passed('configuration', 'all settings are valid'), ...found];
}

function examinePorts({ PORT, HEALTH_PORT }: Config): Finding[] {
  if (PORT === 0 || PORT !== HEALTH_PORT) return [];
  const detail = `PORT and HEALTH_PORT are both ${PORT}`;
  return [failed('configuration', detail, 'set another HEALTH_PORT: the API cannot start')];
}

// The host of the API may have none: only workers read it.
function examineCredentialsDirectory({ CREDENTIALS_DIR: directory }: Config): Finding[] {
  if (!directory || statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return [];
  const advice = 'correct CREDENTIALS_DIR where connectors run: `@path` credentials are read from it';
  return [warning('configuration', 'CREDENTIALS_DIR is no directory on this host', advice)];
}

function examineCertificate({ TLS_CERT_FILE, TLS_KEY_FILE }: Config): Finding[] {
  if (!TLS_CERT_FILE) return [];
  try {
    createSecureContext({ cert: readFileSync(TLS_CERT_FILE), key: readFileSync(TLS_KEY_FILE) });
    return [];
  } catch (error) {
    const detail = `TLS_CERT_FILE and TLS_KEY_FILE cannot be used: ${codeOf(error)}`;
    const advice =
      'let them name PEM files of a certificate and its key without a passphrase that this user may read';
    return [failed('configuration', detail, advice)];
  }
}

// Checked only where it is set: without identity tokens nobody needs it.
function examineIssuer({ ISSUER_URL: text }: Config): Finding[] {
  if (!text) return [];
  const { protocol, port } = new URL(text);
  if (protocol === 'https:' && port === '') return [];
  const detail = `ISSUER_URL is ${text}: stores fetch the keys of identity tokens only over https, and AWS from no other port than 443`;
  return [warning('configuration', detail, 'set it to a public https address without a port')];
}

function examineNames(): Finding[] {
  const unknown = unknownSettings();
  if (unknown.length === 0) return [];
  const list = unknown.map(({ name, meant }) => (meant === null ? name : `${name} (${meant}?)`)).join(', ');
  const advice = 'correct the name of the variable, or remove it; docs/configuration.md has all names';
  return [warning('configuration', `variables that are no settings: ${list}`, advice)];
}
