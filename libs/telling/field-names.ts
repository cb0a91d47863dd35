import { labelOf } from './label.ts';

type Field = { name: string; title?: string; noun?: string };

/** The part of the answer of `sys/schemas` from which the names of fields come. */
export type FormFields = {
  destinations: { type: string; settings: Field[]; options: Field[] }[];
  settings: { type: string; attributes: Field[] }[];
  alerts: Field[];
  auth_methods: { type: string; config: Field[]; role: Field[]; secret_id: Field[] }[];
  auth_tuning: Field[];
};

const MOUNT: Field[] = [{ name: 'version', title: 'KV version' }];

// What no form has in its schema.
const TITLES: Record<string, string> = {
  cas_required: 'Check-and-set',
  delete_version_after_seconds: 'Delete versions after',
};

/** Names the fields that an entry of the audit trail tells of, as their form does. */
export function fieldNamer(
  event: { action: string; path: string },
  forms: FormFields | undefined,
): (field: string) => string {
  const isMount = event.action.includes('/sys/mounts/');
  const fields = isMount ? MOUNT : forms ? fieldsOf(event, forms) : [];
  return (name) => {
    const { noun, title } = fields.find((field) => field.name === name) ?? {};
    return noun ?? title?.replace(/ \([^()]*\)$/, '') ?? TITLES[name] ?? labelOf(name);
  };
}

function fieldsOf({ action, path }: { action: string; path: string }, forms: FormFields): Field[] {
  const [, area = '', kind = ''] =
    /\/(sys\/alerts|sys\/auth|auth|api\/v2\/admin)\/([^/]+)/.exec(action) ?? [];
  if (area === 'sys/alerts') return forms.alerts;
  if (area === 'sys/auth') return forms.auth_tuning;
  if (area === 'auth') {
    const method = forms.auth_methods.find(({ type }) => type === kind);
    return method ? [...method.config, ...method.role, ...method.secret_id] : [];
  }
  if (area !== '') return forms.settings.find(({ type }) => type === kind)?.attributes ?? [];
  const [, type] = /^sys\/sync\/destinations\/([^/]+)\//.exec(path) ?? [];
  const store = forms.destinations.find((one) => one.type === type);
  return store ? [...store.settings, ...store.options] : [];
}
