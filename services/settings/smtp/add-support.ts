import { loadCustomization, supportAddressOf } from '../../../libs/settings/customization.ts';
import type { Context } from '../../../libs/service/context.ts';

/** A mail's text with the line that says whom to ask, where the customization settings name somebody. */
export async function addSupport(services: Pick<Context, 'db' | 'keyring'>, text: string): Promise<string> {
  const address = supportAddressOf(await loadCustomization(services));
  return address === undefined ? text : `${text.trimEnd()}\n\nQuestions: ${address}\n`;
}
