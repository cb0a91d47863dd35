import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import spectralCore from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { projectRoot } from '../../deploy/local/root.ts';
import { adminEndpoints, publicEndpoints, secretsEndpoints } from '../../services/api/endpoints/index.ts';
import { createDocument } from '../../services/api/openapi/document.ts';

type Finding = { rule: string; at: string; message: string };

const run = promisify(execFile);

// A rule that does not fit, by the pointer of what it finds.
const EXCEPTIONS: { rule: string; at: RegExp; reason: string }[] = [
  { rule: 'info-contact', at: /^info$/, reason: 'each installation has other people to ask' },
  { rule: 'no-ambiguous-paths', at: /^#\/paths\/~1\{mount\}/, reason: 'a mount can have any name' },
  {
    rule: 'no-ambiguous-paths',
    at: /^#\/paths\/~1sys~1mounts~1\{path\}~1tune$/,
    reason: 'clients of Vault read an auth method without sudo below sys/mounts',
  },
  {
    rule: 'operation-2xx-response',
    at: /^#\/paths\/~1(sys~1(init|(auth|audit)~1\{path\})\/(post|put)|users~1saml~1login\/get|sys~1events~1subscribe~1\{type\}\/get)\/responses$/,
    reason:
      'an installation and these lists are fixed, so their change is refused; the log-in leads to another page, and a subscription to another protocol',
  },
  {
    rule: 'operation-success-response',
    at: /^paths\/\/sys\/((init|(auth|audit)\/\{path\})\/(post|put)|events\/subscribe\/\{type\}\/get)\/responses$/,
    reason:
      'an installation and these lists are fixed, so their change is refused; a subscription leads to another protocol',
  },
];

/** What Redocly and Spectral find in the document that the service serves, warnings too, one line each. */
async function lintDocument(): Promise<string[]> {
  const document = await createDocument({
    secrets: [...publicEndpoints, ...secretsEndpoints],
    admin: adminEndpoints,
  });
  const text = JSON.stringify(document);
  const findings = (await Promise.all([askRedocly(text), askSpectral(text)])).flat();
  const isAllowed = ({ rule, at }: Finding): boolean =>
    EXCEPTIONS.some((exception) => exception.rule === rule && exception.at.test(at));
  const needless = EXCEPTIONS.filter(
    (exception) => !findings.some(({ rule, at }) => exception.rule === rule && exception.at.test(at)),
  );
  return [
    ...findings
      .filter((finding) => !isAllowed(finding))
      .map(({ rule, at, message }) => `${rule} ${at}: ${message}`),
    ...needless.map(({ rule, at }) => `${rule}: nothing needs the exception ${at.source}`),
  ];
}

async function askRedocly(text: string): Promise<Finding[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sealift-openapi-'));
  const file = join(folder, 'openapi.json');
  try {
    writeFileSync(file, text);
    const command = join(projectRoot, 'node_modules/.bin/redocly');
    const options = ['--extends=recommended', '--format=json', '--max-problems=1000'];
    const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const environment = { ...process.env, ...quiet };
    // It exits with 1 where it finds an error.
    const { stdout } = await run(command, ['lint', file, ...options], {
      env: environment,
      maxBuffer: 64 * 1024 * 1024,
    }).catch((error: { stdout?: string }) => {
      if (!error.stdout?.startsWith('{')) throw error;
      return { stdout: error.stdout };
    });
    const { problems } = JSON.parse(stdout) as {
      problems: { ruleId: string; message: string; location: { pointer?: string }[] }[];
    };
    return problems.map(({ ruleId, message, location }) => ({
      rule: ruleId,
      at: location[0]?.pointer ?? '',
      message,
    }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function askSpectral(text: string): Promise<Finding[]> {
  const spectral = new spectralCore.Spectral();
  const oas = spectralRulesets.oas as Parameters<typeof spectral.setRuleset>[0];
  spectral.setRuleset({ extends: [[oas, 'recommended']] } as typeof oas);
  const results = await spectral.run(text);
  return results.map(({ code, path, message }) => ({ rule: String(code), at: path.join('/'), message }));
}

const findings = await lintDocument();
for (const finding of findings) process.stderr.write(`${finding}\n`);
process.exitCode = findings.length === 0 ? 0 : 1;
