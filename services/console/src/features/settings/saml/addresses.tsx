import { useQuery } from '@tanstack/react-query';
import type { SettingsKindAnswer } from '../../../../../api/contract/forms.ts';
import { CopyButton } from '../../../kit/copy/copy-button.tsx';
import kit from '../../../kit/kit.module.css';
import { Notice } from '../../../kit/notice.tsx';
import { settingsQuery } from '../document.tsx';

const METADATA = '/users/saml/metadata';

/** What the identity provider must know of this service. */
export function SamlAddresses({ definition }: { definition: SettingsKindAnswer }) {
  const { data } = useQuery(settingsQuery(definition));
  if (!data) return null;
  const { 'metadata-url': entity, 'acs-consumer-url': assertions } = data.attributes;
  return (
    <section className={`${kit.card} ${kit.stack} ${kit.tight}`} aria-labelledby="for-idp">
      <h2 id="for-idp">What the identity provider needs</h2>
      <PublicUrlNotice address={data.meta?.['public-url'] ?? ''} />
      <Address label="Entity ID" others="Identifier, Audience URI, metadata URL" text={String(entity)} />
      <Address label="ACS URL" others="Reply URL, Single sign-on URL" text={String(assertions)} />
      <p>
        <a href={METADATA} download="sealift-saml-metadata.xml">
          Download metadata (XML)
        </a>
      </p>
    </section>
  );
}

/** `others`: what identity providers call it too. */
function Address({ label, others, text }: { label: string; others: string; text: string }) {
  return (
    <div>
      <div className={kit.row}>
        <span className={kit.label}>{label}</span>
        <code>{text}</code>
        <CopyButton text={text}>{`Copy the ${label}`}</CopyButton>
      </div>
      <p className={`${kit.small} ${kit.muted}`}>Also called: {others}.</p>
    </div>
  );
}

// The addresses are below PUBLIC_URL, and a browser's sign-in must end where it began.
function PublicUrlNotice({ address }: { address: string }) {
  const here = window.location.origin;
  if (address !== '' && new URL(address).origin === here) return null;
  return (
    <Notice tone="limited">
      {address === '' ? (
        <p>
          PUBLIC_URL is not set, so these addresses are made from HOST and PORT of the server. Before you
          enter them at the identity provider, set PUBLIC_URL of the API to the address at which people open
          Sealift, such as <code>{here}</code>, and restart the API.
        </p>
      ) : (
        <p>
          PUBLIC_URL is <code>{address}</code>, but you opened Sealift at <code>{here}</code>. Sign-in works
          only at the address in PUBLIC_URL. If people open Sealift here, set PUBLIC_URL of the API to{' '}
          <code>{here}</code>, restart the API, and then enter the addresses at the identity provider.
        </p>
      )}
    </Notice>
  );
}
