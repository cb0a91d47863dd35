import { useState } from 'react';
import type { SamlCheckAnswer } from '../../../../../api/contract/saml/certificates.ts';
import { ask } from '../../../api/client.ts';
import { rightFor } from '../../../api/right.ts';
import { useHasRights } from '../../../kit/rights/allowed.ts';
import type { Check } from '../../../schema-form/check.ts';
import type { Edits } from '../../../schema-form/schema-form.tsx';

const PATH = '/api/v2/admin/saml-settings/actions/check';
const RIGHT = rightFor('POST', PATH);

/** What a change of the SAML settings would come to. */
export type SamlOutcome = SamlCheckAnswer['data']['attributes'];

/** The check of edits of SAML settings, and what the last one found. Of other settings, and without the right, there is none. */
export function useSamlCheck(isSaml: boolean): {
  check: Check | undefined;
  outcome: SamlOutcome | undefined;
} {
  const mayCheck = useHasRights(isSaml ? [RIGHT] : []);
  const [outcome, setOutcome] = useState<SamlOutcome>();
  const check = async (attributes: Edits): Promise<void> => {
    const body = { data: { attributes } };
    const answer = await ask<SamlCheckAnswer['data']>({ method: 'POST', path: PATH, body });
    setOutcome(answer.attributes);
  };
  return { check: isSaml && mayCheck ? check : undefined, outcome };
}
