import { Link } from '@tanstack/react-router';
import type { FieldAnswer } from '../../../../../api/contract/forms.ts';
import kit from '../../../kit/kit.module.css';
import { TEAMS } from '../../../kit/rights/access-pages.ts';
import { useHasRights } from '../../../kit/rights/allowed.ts';
import type { SectionPart } from '../../../schema-form/edit-form.tsx';
import { LoadMetadata } from './load-metadata.tsx';
import { UsualNames } from './usual-names.tsx';

/** How a part of the SAML settings is shown: its fields, and what helps to fill them in. */
export function drawSamlPart(fields: FieldAnswer[], part: SectionPart) {
  const has = (name: string): boolean => fields.some((field) => field.name === name);
  return (
    <>
      {has('sso-endpoint-url') ? <LoadMetadata {...part} fields={fields} /> : null}
      {has('attr-username') ? <UsualNames {...part} fields={fields} /> : null}
      {part.form(fields)}
      {has('attr-groups') ? <TeamsLink /> : null}
    </>
  );
}

function TeamsLink() {
  const page = 'Access › Teams';
  return (
    <p className={kit.small}>
      {useHasRights([TEAMS]) ? <Link to="/access/teams">{page}</Link> : page} says which policies the members
      of each team get.
    </p>
  );
}
