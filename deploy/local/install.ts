import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findChromium, findPostgres, findProgram, findRabbitmq } from './binaries.ts';
import { LocalFailure } from './failure.ts';

/** The programs that the caller needs. A server with its own URL needs none. */
export interface Needs {
  readonly postgres: boolean;
  readonly rabbitmq: boolean;
  /** A browser, for the tests of the console. */
  readonly chromium?: boolean;
  /** A connection pooler, for the tests behind one. */
  readonly pgbouncer?: boolean;
}

// Packages of servers start them on their default ports. A policy-rc.d that refuses leaves those servers, and all others,
// as they are. The former policy is put back afterwards, also one that an aborted run has left behind.
const installScript = `
set -eu
policy=/usr/sbin/policy-rc.d
kept=$policy.before-sealift
restore() {
  if [ -e "$kept" ]; then mv -f "$kept" "$policy"
  elif grep -qs 'by sealift' "$policy"; then rm -f "$policy"; fi
}
restore
trap restore EXIT
trap 'exit 130' INT TERM
if [ -e "$policy" ]; then mv "$policy" "$kept"; fi
printf '#!/bin/sh\\n# by sealift, during an installation only\\nexit 101\\n' > "$policy"
chmod 755 "$policy"
apt-get -qq -o DPkg::Lock::Timeout=300 update || echo 'going on with the package lists there are' >&2
apt-get -qq -o DPkg::Lock::Timeout=300 install -y --no-install-recommends --no-upgrade "$@"
# The programs are wanted, not the services: these would start on their default ports at the next boot.
if [ -d /run/systemd/system ]; then
  for package in "$@"; do systemctl disable --quiet "$package" || true; done
  case " $* " in *rabbitmq*) systemctl disable --quiet epmd.socket epmd.service || true ;; esac
fi
`;

/**
 * Makes sure that the needed programs are on this machine. On Debian as root it installs them, without starting or
 * changing any service; elsewhere it throws a `LocalFailure` that names the exact command.
 */
export function ensureBinaries(needs: Needs): void {
  const missing = findMissing(needs);
  if (missing.length === 0) return;
  if (!canInstall()) throw new LocalFailure(adviseOn(missing));
  process.stdout.write(`Installing ${missing.join(' and ')} (apt-get) …\n`);
  installPackages(missing);
  const stillMissing = findMissing(needs);
  if (stillMissing.length > 0)
    throw new LocalFailure(`${stillMissing.join(', ')}: installed, but its programs were not found.`);
}

/** The Debian packages of the needed programs that are missing. */
export function findMissing(needs: Needs): string[] {
  const missing: string[] = [];
  if (needs.postgres && !findPostgres()) missing.push('postgresql');
  if (needs.rabbitmq && !findRabbitmq()) missing.push('rabbitmq-server');
  if (needs.chromium && !findChromium()) missing.push('chromium-headless-shell');
  if (needs.pgbouncer && !findProgram('pgbouncer')) missing.push('pgbouncer');
  return missing;
}

/** True if packages can be installed: on Debian and its derivatives, as root. */
export function canInstall(): boolean {
  return (
    process.getuid?.() === 0 && findProgram('apt-get') !== undefined && existsSync('/etc/debian_version')
  );
}

function adviseOn(missing: readonly string[]): string {
  return [
    `Not on this machine: ${missing.join(', ')}. Install with:`,
    `  ${installCommand(missing.join(' '))}`,
    'or point DATABASE_URL and AMQP_URL at servers of your own, or start a docker engine, and run it again.',
  ].join('\n');
}

function installCommand(packages: string): string {
  if (findProgram('apt-get')) return `sudo apt-get update && sudo apt-get install -y ${packages}`;
  if (findProgram('dnf')) return `sudo dnf install -y ${packages.replace('postgresql', 'postgresql-server')}`;
  const formulas = packages.replace('rabbitmq-server', 'rabbitmq').replace('postgresql', 'postgresql@16');
  return findProgram('brew') ? `brew install ${formulas}` : `(with your package manager) install ${packages}`;
}

/** Installs Debian packages without starting or changing any service. Throws LocalFailure. */
export function installPackages(packages: readonly string[]): void {
  try {
    // One run at a time: two runs that both change the policy would restore each other's.
    execFileSync(
      'flock',
      ['-w', '900', '/run/sealift-install.lock', 'sh', '-c', installScript, 'sh', ...packages],
      {
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: 1_200_000,
        maxBuffer: 64 * 1024 * 1024,
      },
    );
  } catch (error) {
    const detail = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
    throw new LocalFailure(`apt-get install ${packages.join(' ')} failed:\n${detail.trimEnd()}`);
  }
}
