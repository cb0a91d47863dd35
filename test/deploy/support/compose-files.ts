import { readCompose, type Compose } from '../../../deploy/check/compose.ts';

export type ComposeService = Compose['services'][string];

/**
 * The services of both compose files, as `docker compose -f compose.yaml -f compose.ha.yaml` merges them. `variables` are the
 * lines of `.env`.
 */
export function mergeComposeFiles(variables: Record<string, string>): Map<string, ComposeService> {
  const services = new Map<string, ComposeService>();
  for (const file of ['compose.yaml', 'compose.ha.yaml'] as const)
    for (const [name, service] of Object.entries(fillIn(readCompose(file), variables).services)) {
      const former = services.get(name) ?? {};
      services.set(name, {
        ...former,
        ...service,
        environment: { ...former.environment, ...service.environment },
        depends_on: { ...former.depends_on, ...service.depends_on },
      });
    }
  return services;
}

// The forms ${NAME:?what is missing} and ${NAME:-default}.
function fillIn(compose: Compose, variables: Record<string, string>): Compose {
  const filled = JSON.stringify(compose).replaceAll(
    /\$\{(\w+):([?-])([^}]*)\}/g,
    (_all, name: string, form: string, rest: string) => {
      const value = variables[name] ?? (form === '-' ? rest : undefined);
      if (value === undefined) throw new Error(`${name}: ${rest}`);
      return value;
    },
  );
  return JSON.parse(filled) as Compose;
}
