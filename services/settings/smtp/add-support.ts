import { loadCustomization, supportAddressOf } from '../../../libs/settings/customization.ts';
import type { Context } from '../../../libs/service/context.ts';

/** Adds a line to a mail's text that says whom to ask, if the customization settings name somebody. */
export async function addSupport(services: Pick<Context, 'db' | 'keyring'>, text: string): Promise<string> {
  const address = supportAddressOf(await loadCustomization(services));
  return address === undefined ? text : `${text.trimEnd()}\n\nQuestions: ${address}\n`;
}
