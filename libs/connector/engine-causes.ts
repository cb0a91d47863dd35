import { WAITING_CAUSES } from '../errors/waiting.ts';
import type { CauseRow } from './causes.ts';

/** Causes that the engine finds by itself, before or after a call. */
export const ENGINE_CAUSES = {
  name_collision: {
    kind: 'client',
    message: 'Another link, or another key of the secret, already uses this name.',
    action:
      'If the template of the destination drops what tells them apart, put it back, such as {{ .SecretPath }}; otherwise give one of them a different secret_name_template. If two links swap names, unlink one first.',
  },
  name_blocked: {
    kind: 'external',
    message: 'The store says that the name is taken, but does not show such an entry.',
  },
  entry_unsettled: {
    kind: 'external',
    message: 'The store first showed the entry and then said that it does not exist.',
  },
  too_many_bytes: {
    kind: 'client',
    message: 'All names and values together exceed the size limit of the store.',
    action: 'Shorten or remove some values.',
  },
  not_replaced: {
    kind: 'client',
    message: 'The entry is kept until all entries that replace it are written.',
    action: 'See the causes of the other entries of the link.',
  },
  changed_outside: {
    kind: 'client',
    final: true,
    message: 'Someone changed this entry in the store.',
    action:
      'To overwrite the change, sync the secret again, or turn on drift_check to have such entries rewritten automatically. To keep the change, save its value in the secret.',
  },
  gone_outside: {
    kind: 'client',
    final: true,
    message: 'Someone deleted this entry in the store.',
    action: 'Sync the secret again, or unlink it.',
  },
  write_unconfirmed: {
    kind: 'external',
    message: 'The store did not confirm a write. The value will be written again.',
  },
  ...WAITING_CAUSES,
  destination_gone: { kind: 'client', message: 'The destination was deleted.' },
  unseal_failed: {
    kind: 'external',
    message: 'The secret could not be decrypted with the configured master keys.',
    action: 'Add the missing master key to the configuration.',
  },
  internal: {
    kind: 'external',
    message: 'An unexpected error.',
    action: "Report the error with its place in the code, as the worker's log shows it.",
  },
} satisfies Record<string, CauseRow>;
