import { Vercel } from '@vercel/sdk';
import type { Settings, Write } from './write.ts';

/** Vercel's SDK as its manual shows it. */
export async function open(settings: Settings): Promise<Write> {
  const { access_token: bearerToken = '', project_id: idOrName = '' } = settings;
  const vercel = new Vercel({ bearerToken, serverURL: process.env['HOSTING_PROJECT_API_URL'] ?? '' });
  return ({ reference }, value) => {
    // The ledger's reference has the form `id/environments`.
    const [id = ''] = reference?.split('/') ?? [];
    return vercel.projects.editProjectEnv({ idOrName, id, requestBody: { value } });
  };
}
