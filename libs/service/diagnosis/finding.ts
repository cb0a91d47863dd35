/** The result of one check; `advice` says how to fix a problem. */
export type Finding = {
  check: string;
  state: 'ok' | 'warning' | 'failed' | 'skipped';
  detail: string;
  advice?: string;
};

export function passed(check: string, detail: string): Finding {
  return { check, state: 'ok', detail };
}

export function warning(check: string, detail: string, advice: string): Finding {
  return { check, state: 'warning', detail, advice };
}

export function failed(check: string, detail: string, advice: string): Finding {
  return { check, state: 'failed', detail, advice };
}

export function skipped(check: string, detail: string): Finding {
  return { check, state: 'skipped', detail };
}

/** The code of a driver's error, or its name. Its text could contain the address or a password. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  const code: unknown = 'code' in error ? error.code : undefined;
  return typeof code === 'string' || typeof code === 'number' ? String(code) : error.name;
}
